/** A load for the test and the bench of fairness: workspaces with endpoints that never respond, and one that does. */
import { scopes } from '../../../service/core/scopes.ts';
import { listen, type Listening } from './listen.ts';
import type { AddedWorkspace } from './workspaces.ts';

const deadEndpoints = 9;
const maxCallsInFlight = 32;

export interface LoadResult {
  sent: number;
  /** Milliseconds from each event to its delivery, for the endpoints that respond, sorted. */
  latencies: number[];
  /** Requests that the endpoints that never respond received. */
  hanging: number;
  /** Milliseconds until each new source was indexed. */
  indexed: number[];
}

/** Sends events to every workspace for a while, and meanwhile adds sources to each of them. */
export const runLoad = async (
  url: string,
  loaded: AddedWorkspace[],
  { seconds, eventsPerSecond }: { seconds: number; eventsPerSecond: number },
): Promise<LoadResult> => {
  const result: LoadResult = { sent: 0, latencies: [], hanging: 0, indexed: [] };
  const receiver = await startReceiver(result);
  const client = createClient(url);
  const calls: Promise<unknown>[] = [];
  // A call that fails is reported at the end, and not as an unhandled rejection before.
  const track = (call: Promise<unknown>): void => {
    call.catch(() => {});
    calls.push(call);
  };
  let sending = 0;
  try {
    for (const workspace of loaded) {
      await client.makeSenders(workspace, keysFor(eventsPerSecond));
      await client.subscribe(workspace, receiver.url);
    }
    const begun = Date.now();
    const marks = [0.1, 0.5, 0.9].map((part) => part * seconds * 1000);
    while (Date.now() - begun < seconds * 1000) {
      const elapsed = Date.now() - begun;
      // A busy machine sends fewer events than wanted, instead of more and more at once.
      for (; result.sent < (elapsed / 1000) * eventsPerSecond && sending < maxCallsInFlight; result.sent++) {
        sending++;
        track(client.sendEvent(loaded[result.sent % loaded.length]!).finally(() => sending--));
      }
      if (elapsed > (marks[0] ?? Infinity)) {
        marks.shift();
        for (const workspace of loaded) {
          track(client.indexSource(workspace, `mark ${marks.length}`).then((took) => result.indexed.push(took)));
        }
      }
      await pause(10);
    }
    await Promise.all(calls);
    for (let wait = 0; wait < 60_000 && result.latencies.length < result.sent; wait += 50) await pause(50);
  } finally {
    await receiver.close();
  }
  result.latencies.sort((a, b) => a - b);
  return result;
};

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts a server that responds at `/good` and never at `/dead`. */
const startReceiver = (result: LoadResult): Promise<Listening> => {
  const seen = new Set<string>();
  return listen((request, response) => {
    let text = '';
    request.on('data', (piece) => (text += String(piece)));
    request.on('end', () => {
      if (request.url === '/dead') {
        result.hanging++;
        return;
      }
      const { id, created_at } = JSON.parse(text) as { id: string; created_at: string };
      if (!seen.has(id)) result.latencies.push(Date.now() - Date.parse(created_at));
      seen.add(id);
      response.writeHead(204).end();
    });
  });
};

/** A key may call the dashboard 300 times a minute. Twice as many keys as each half of the events needs, as they may catch up. */
const keysFor = (eventsPerSecond: number): number => 2 * Math.ceil((eventsPerSecond * 60) / 2 / 300);

const createClient = (url: string) => {
  /** The keys of the workspaces that send the events in turn. */
  const senders = new Map<AddedWorkspace, string[]>();
  const call = async (method: string, path: string, key: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    const response = await fetch(`${url}${path}`, init);
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}.`);
    return (await response.json()) as { id: string; key: string; status: string };
  };
  return {
    async subscribe({ key }: AddedWorkspace, receiver: string): Promise<void> {
      for (let each = 0; each <= deadEndpoints; each++) {
        const path = each === deadEndpoints ? '/good' : '/dead';
        await call('POST', '/api/v2/webhooks', key, { url: `${receiver}${path}`, events: ['campaign.sent'] });
      }
    },
    async makeSenders(workspace: AddedWorkspace, count: number): Promise<void> {
      const body = { label: 'Load', kind: 'secret', scopes, agent_ids: null, expires_at: null };
      const make = () => call('POST', '/team/keys', workspace.key, body);
      const made = await Promise.all(Array.from({ length: count }, make));
      senders.set(
        workspace,
        made.map(({ key }) => key),
      );
    },
    async sendEvent(workspace: AddedWorkspace): Promise<void> {
      const keys = senders.get(workspace)!;
      const key = keys.shift()!;
      keys.push(key);
      await call('POST', '/team/campaigns', key, { name: 'Load', recipients: 1 });
    },
    /** Returns the milliseconds until the source was indexed. */
    async indexSource({ key, agentId }: AddedWorkspace, name: string): Promise<number> {
      const begun = Date.now();
      const path = `/api/v2/agents/${agentId}/sources`;
      const body = { type: 'text', name, text: `# ${name}\n\nThe studio is open on ${name}.` };
      const { id } = await call('POST', path, key, body);
      for (;;) {
        // Slow enough for the limit of 60 calls in a minute.
        await pause(Date.now() - begun < 5000 ? 300 : 3000);
        const { status } = await call('GET', `${path}/${id}`, key);
        if (status === 'indexed') return Date.now() - begun;
        if (Date.now() - begun > 60_000) throw new Error(`The source is ${status} after a minute.`);
      }
    },
  };
};

const quantile = (sorted: number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;

/** One line for the output of a test. */
export const describeLoad = ({ sent, latencies, hanging, indexed }: LoadResult): string => {
  const [half, most, last] = [0.5, 0.95, 1].map((part) => Math.round(quantile(latencies, part)));
  return (
    `${sent} events, ${latencies.length} delivered: p50 ${half} ms, p95 ${most} ms, max ${last} ms; ` +
    `${hanging} attempts at dead endpoints; sources indexed after ${indexed.join(', ')} ms`
  );
};
