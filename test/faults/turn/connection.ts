/** Faults of the connection: refused, reset or ended too early. */
import type { Fault } from '../../support/pages/fault.ts';
import type { CallHandler } from '../../support/servers/hostile-server.ts';
import { resetConnection } from '../../support/servers/server-faults.ts';
import { again } from '../expected.ts';
import {
  turnFault,
  confirmed,
  interrupted,
  storedInterrupted,
  storedUnconfirmed,
  cutFault,
  html,
  unlinked,
} from './turn-fault.ts';

const lost = `visitor: Hi — Not confirmed The connection failed. ${again}`;

const lostOutcome = 'The message stays, marked “Not confirmed”, with “Send again”. Nothing is sent automatically.';

const unconfirmedFault = (name: string, cause: string, respond: CallHandler): Fault =>
  turnFault({ name, cause, outcome: lostOutcome, respond, shows: [lost], keeps: storedUnconfirmed });

/** The headers of the response arrive, and no text. */
const emptyFault = (name: string, cause: string, respond: CallHandler): Fault =>
  turnFault({
    name,
    cause,
    outcome: 'The message counts as accepted. The missing reply is marked as interrupted, with “Ask again”.',
    respond,
    shows: [confirmed, interrupted(''), unlinked],
    keeps: storedInterrupted(''),
  });

export const connectionFaults: Fault[] = [
  unconfirmedFault(
    'reset before headers',
    'The connection is reset before the first byte of the response.',
    resetConnection,
  ),
  {
    name: 'refused connection',
    cause: 'Nothing listens at the service’s port.',
    outcome: lostOutcome,
    page: { attributes: { 'base-url': 'http://127.0.0.1:9/api/v2' } },
    async run(page) {
      await page.send('Hi');
      await page.waitUntilIdle();
      await page.expectTranscript(lost);
      await page.expectStored(...storedUnconfirmed);
      await page.expectChatCalls(0);
    },
  },
  {
    name: 'refused preflight',
    cause: 'The response to the preflight forbids every cross-origin call.',
    outcome: 'The message stays, marked “Not confirmed”. The browser sends no POST.',
    async run(page, server) {
      server.refusesPreflight = true;
      await page.send('Hi');
      await page.waitUntilIdle();
      await page.expectTranscript(lost);
      await page.expectStored(...storedUnconfirmed);
      await page.expectChatCalls(0);
    },
  },
  unconfirmedFault('another protocol', 'The port speaks another protocol than HTTP.', (call) =>
    call.write('SSH-2.0-OpenSSH_9.9\r\n').end(),
  ),
  unconfirmedFault(
    '502 without CORS',
    'A proxy responds with 502 and without the CORS headers that let a page read it.',
    (call) => {
      call.writeHead(502, { 'content-type': 'text/html' }, false).write(html).end();
    },
  ),
  cutFault('reset during the stream', 'The connection is reset after a part of the reply.', resetConnection),
  cutFault('end without done', 'The connection is closed normally, but without the event that ends a reply.', (call) =>
    call.end(),
  ),
  emptyFault('a stream without events', 'The stream ends right after its headers.', (call) => call.startStream().end()),
  cutFault(
    'short body',
    'The body is shorter than its content-length.',
    (call) => call.end(),
    (call) => call.writeHead(200, { 'content-type': 'text/event-stream', 'content-length': '9999' }).delta('Half'),
  ),
  cutFault(
    'broken chunk',
    'The chunked encoding breaks after a part of the reply.',
    (call) => call.write('zz\r\n').end(),
    (call) => {
      const text = 'event: delta\ndata: {"text":"Half"}\n\n';
      call.writeHead(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' });
      call.write(`${text.length.toString(16)}\r\n${text}\r\n`);
    },
  ),
  emptyFault('bad gzip', 'The stream claims to be compressed, but is not.', (call) =>
    call.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }).write('no gzip').end(),
  ),
  unconfirmedFault('short JSON', 'A JSON response is shorter than its content-length.', (call) =>
    call.writeHead(200, { 'content-type': 'application/json', 'content-length': '9999' }).write('{"conv').end(),
  ),
];
