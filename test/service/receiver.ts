/** A webhook receiver that accepts only deliveries with a valid signature, as the site's own backend does. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { isGenuine } from '../../demo/host/webhooks.ts';
import { useServer } from './support.ts';

export interface Received {
  headers: IncomingHttpHeaders;
  event: { id: string; type: string; created_at: string; workspace_id: string; agent_id: string; data: any };
  raw: string;
  /** Whether an event with this id was received before. */
  repeated: boolean;
}

export const ok = (response: ServerResponse): unknown => response.writeHead(204).end();

/** Starts a receiver before the tests of a file and closes it after them. */
export const useReceiver = (now: () => number) => {
  const handled = new Set<string>();
  const server = useServer((response, { headers, body: raw }) => {
    if (!isGenuine(Buffer.from(raw), String(headers['x-service-signature']), receiver.secret, now()))
      return void response.writeHead(400).end();
    const event = JSON.parse(raw) as Received['event'];
    receiver.received.push({ headers, event, raw, repeated: handled.has(event.id) });
    handled.add(event.id);
    receiver.respond(response);
  });
  const receiver = {
    received: [] as Received[],
    respond: ok,
    secret: '',
    get url() {
      return `${server.url}/hook`;
    },
    clear() {
      receiver.received.length = 0;
      receiver.respond = ok;
    },
  };
  return receiver;
};
