/** Faults of the response: it comes from a proxy, or is not an event stream. */
import type { Fault } from '../../support/pages/fault.ts';
import type { CallHandler } from '../../support/servers/hostile-server.ts';
import { again } from '../expected.ts';
import { turnFault, storedUnconfirmed, html, wholeText } from './turn-fault.ts';

const foreign = `visitor: Hi — Not confirmed Another server responded (a Wi-Fi sign-in page or a firewall?). ${again}`;

const foreignOutcome =
  'The message stays, marked “Not confirmed”, since a proxy responded. Nothing of its page is rendered.';

const foreignFault = (name: string, cause: string, respond: CallHandler): Fault =>
  turnFault({ name, cause, outcome: foreignOutcome, respond, shows: [foreign], keeps: storedUnconfirmed });

export const responseFaults: Fault[] = [
  foreignFault('204', 'The response has the status 204 and no body.', (call) => call.writeHead(204, {}).end()),
  foreignFault('an HTML page instead of a reply', 'A captive portal responds with 200 and its own page.', (call) =>
    call.respond(200, 'text/html', html),
  ),
  foreignFault('a redirect to a login page', 'A gateway redirects the call to its login page.', (call) =>
    call.writeHead(302, { location: '/login', 'content-length': '0' }).end(),
  ),
  foreignFault(
    '500 with HTML',
    'The server sends an HTML error page instead of the contract’s error envelope.',
    (call) => call.respond(500, 'text/html', '<h1>Traceback (most recent call last)</h1>'),
  ),
  foreignFault(
    '403 with HTML',
    'A firewall refuses the call with its own page, so it is unknown whether the message arrived.',
    (call) => call.respond(403, 'text/html', '<h1>Blocked</h1>'),
  ),
  foreignFault(
    'JSON of an unknown shape',
    'The response is JSON of a shape that the contract does not define.',
    (call) => call.respond(200, 'application/json', '[null, {"ok": true}]'),
  ),
  foreignFault('events as plain text', 'The response contains events, but has the content type text/plain.', (call) =>
    call.respond(200, 'text/plain', wholeText),
  ),
];
