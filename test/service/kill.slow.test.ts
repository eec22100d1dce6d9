import assert from 'node:assert/strict';
import { it } from 'node:test';
import { contacts, conversations, events, messages, sources } from '../../service/db/schema.ts';
import { scopes } from '../../service/core/scopes.ts';
import { startService } from '../support/servers/service-process.ts';
import { createTestService, useFolders } from './support.ts';

const kills = 10;
const total = 1000;
const maxConcurrentJobs = 8;

const dataDir = useFolders()();

interface Write {
  method: 'POST' | 'PATCH';
  path: string;
  body: object;
  headers: Record<string, string>;
  /** The response, once it has arrived. */
  answered?: { status: number; body: any };
}

/** 60 % of the writes create contacts. The others start conversations, add sources or change a contact. */
const write = (at: number, agentId: string, contactId: string, keys: string[]): Write => {
  const headers = { authorization: `Bearer ${keys[at % keys.length]}`, 'idempotency-key': `write-${at}` };
  const kind = at % 10;
  if (kind === 1 || kind === 6) {
    return {
      method: 'POST',
      path: `/agents/${agentId}/chat`,
      body: { messages: [{ role: 'user', content: 'Hello' }] },
      headers,
    };
  }
  if (kind === 4) {
    const body = { type: 'text', name: `text ${at}`, text: `# Number ${at}\n\nThis is what number ${at} says.` };
    return { method: 'POST', path: `/agents/${agentId}/sources`, body, headers };
  }
  if (kind === 7) {
    const body = { attributes: { [`seen_${at % 20 === 7 ? 'a' : 'b'}`]: at } };
    return { method: 'PATCH', path: `/contacts/${contactId}`, body, headers };
  }
  const body = { external_id: `customer-${at}`, name: `Customer ${at}` };
  return { method: 'POST', path: '/contacts', body, headers };
};

/** Returns the response, or undefined when the service was killed before it responded. */
const send = async (
  baseUrl: string,
  { method, path, body, headers }: Write,
): Promise<Write['answered'] | undefined> => {
  try {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  } catch {
    return undefined;
  }
};

/** Asserts that the data folder contains the effect of each write exactly once. */
const assertStored = async (all: Write[], changedId: string): Promise<void> => {
  const last = await createTestService({ dataDir });
  const made = (path: RegExp) => all.filter(({ method, path: each }) => method === 'POST' && path.test(each));
  const counted = (values: (string | null)[]) => values.toSorted((a, b) => String(a).localeCompare(String(b)));

  const people = await last.rows(contacts);
  assert.deepEqual(
    counted(people.map(({ id }) => id)),
    counted([changedId, ...made(/contacts$/).map(({ answered }) => answered!.body.id)]),
  );
  const created = (await last.rows(events)).filter(({ type }) => type === 'contact.created');
  assert.equal(created.length, people.length);

  const texts = (await last.rows(sources)).filter(({ name }) => name.startsWith('text '));
  assert.deepEqual(
    counted(texts.map(({ id }) => id)),
    counted(made(/sources$/).map(({ answered }) => answered!.body.id)),
  );

  const begun = await last.rows(conversations);
  assert.deepEqual(
    counted(begun.map(({ id }) => id)),
    counted(made(/chat$/).map(({ answered }) => answered!.body.conversation_id)),
  );
  const said = await last.rows(messages);
  assert.equal(said.length, 2 * begun.length, 'one message and one reply each');
  for (const { answered } of made(/chat$/)) {
    const { id, content } = answered!.body.message;
    assert.equal(said.find((message) => message.id === id)?.content, content);
  }

  const attributes = people.find(({ id }) => id === changedId)!.attributes;
  assert.deepEqual(Object.keys(attributes).toSorted(), ['seen_a', 'seen_b']);
  await last.service.close();
};

it('loses no confirmed write and repeats none when it is killed ten times in a thousand writes', async () => {
  const first = await createTestService({ dataDir });
  // The processes that follow use the time of day, and would delete an older event for its age.
  first.clock.now = Date.now();
  const keys = await Promise.all(Array.from({ length: 12 }, () => first.makeKey({ scopes: [...scopes] })));
  const { body: changed } = await first.call('POST', '/contacts', { key: keys[0]!, body: { external_id: 'changed' } });
  const { agentId } = first;
  await first.service.close();

  const all = Array.from({ length: total }, (_, at) => write(at, agentId, changed.id, keys));
  const waiting = [...all];
  let killed = 0;
  let cut = 0;
  for (let round = 0; round <= kills; round++) {
    const service = await startService(['--data', dataDir]);
    const mark = Math.round((total * (round + 1)) / (kills + 1));
    const isLast = round === kills;
    const end: { come?: Promise<void> } = {};
    const kill = () => {
      end.come ??= service.end('SIGKILL');
    };
    const work = async () => {
      let next = waiting.shift();
      for (; next && !end.come; next = waiting.shift()) {
        const sending = send(service.baseUrl, next);
        // Kills the service at different steps of a chat call.
        const isDue = !isLast && total - waiting.length >= mark && next.path.endsWith('/chat');
        if (isDue) setTimeout(kill, 4 * (round + 1));
        const answered = await sending;
        if (!answered) {
          cut++;
          waiting.unshift(next);
          return;
        }
        assert.ok(answered.status < 300, JSON.stringify(answered));
        next.answered = answered;
      }
      // The write that was taken last was not sent.
      if (next) waiting.unshift(next);
    };
    await Promise.all(Array.from({ length: maxConcurrentJobs }, work));
    if (end.come) killed++;
    await (end.come ?? service.end('SIGTERM'));
  }
  assert.equal(killed, kills);
  assert.ok(cut >= kills, `${cut} writes were in flight when it was killed`);
  assert.ok(all.every(({ answered }) => answered));

  await assertStored(all, changed.id);
});
