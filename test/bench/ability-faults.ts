/** The faults that every widget meets, because they are those of the network and of any server. */
import type { Fault } from './server.ts';

interface WidgetFault {
  what: string;
  /** Fails the reply, or is `offline` when the visitor has no network. */
  cause: Fault | 'offline';
  /** The text that arrives before the fault. */
  partial?: string;
}

const html = '<!doctype html><title>Sign in</title><h1>Sign in to the network</h1>';
const partial = 'The first half of the reply';

const respond =
  (status: number, type: string, body: string, headers: Record<string, string> = {}): Fault =>
  (response) =>
    void response.writeHead(status, { 'content-type': type, ...headers }).end(body);

export const faults: readonly WidgetFault[] = [
  { what: 'the visitor is offline', cause: 'offline' },
  { what: 'the connection is reset before the response', cause: (response) => void response.destroy() },
  { what: 'status 500 with JSON', cause: respond(500, 'application/json', '{"error":{"code":"internal"}}') },
  { what: 'status 502 with an HTML page', cause: respond(502, 'text/html', html) },
  { what: 'status 503 without a body', cause: respond(503, 'text/plain', '') },
  { what: 'status 429', cause: respond(429, 'application/json', '{"error":{"code":"rate"}}', { 'retry-after': '1' }) },
  { what: 'status 204', cause: respond(204, 'text/plain', '') },
  { what: 'an HTML page with status 200', cause: respond(200, 'text/html', html) },
  { what: 'an empty response with status 200', cause: respond(200, 'text/event-stream', '') },
  { what: 'invalid JSON with status 200', cause: respond(200, 'application/json', '{"text": "The fir') },
  {
    what: 'the connection is reset after a part of the reply',
    partial,
    cause: (response, send) => {
      send(partial);
      // The part must arrive before the reset.
      setTimeout(() => response.destroy(), 300);
    },
  },
];
