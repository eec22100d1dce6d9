/** Faults of one streamed reply, caused by the network, a proxy or the service. */
import { expect } from '@playwright/test';
import type { Fault, FaultGroup } from '../support/pages/fault.ts';
import type { PageOptions } from '../support/pages/fault-page.ts';
import type { ServerCall } from '../support/servers/server-call.ts';
import { response, started } from '../support/fakes/fake-service.ts';
import type { CallHandler } from '../support/servers/hostile-server.ts';
import { reply, resetConnection, noResponse } from '../support/servers/server-faults.ts';

interface TurnFault extends Pick<Fault, 'name' | 'cause' | 'outcome'> {
  respond: CallHandler;
  /** Runs once the received part of the reply is rendered. */
  after?: (call: ServerCall) => unknown;
  /** Milliseconds by which the page's clock moves once the received part of the reply is rendered. */
  pass?: number;
  shows: string[];
  keeps: string[];
  page?: PageOptions;
}

/** A fault of one streamed reply to “Hi”. */
const turnFault = ({ name, cause, outcome, respond, after, pass, shows, keeps, page }: TurnFault): Fault => ({
  name,
  cause,
  outcome,
  page: { hasFakeClock: pass !== undefined, ...page },
  async run(visitor, server) {
    let call: ServerCall | undefined;
    server.onChat((given) => respond((call = given)));
    await visitor.send('Hi');
    await server.waitForCalls(1);
    if ((after || pass) && shows.length > 1) await visitor.element.locator('.agent .text').waitFor();
    await after?.(call!);
    if (pass) await visitor.fastForward(pass);
    await visitor.waitUntilIdle();
    await visitor.expectTranscript(...shows);
    await visitor.expectStored(...keeps);
    await visitor.expectChatCalls(1);
  },
});

const confirmed = 'visitor: Hi';
const again = '[Send again] [Edit]';
const lost = `visitor: Hi — Not confirmed We couldn’t confirm that your message arrived. ${again}`;
const foreign = `visitor: Hi — Not confirmed Your network blocked the message (a Wi-Fi sign-in page or a firewall?). ${again}`;
const interrupted = (text: string) => `assistant: ${text && `${text} `}— The reply was interrupted. [Ask again]`;
const storedInterrupted = (text: string) => ['visitor confirmed: Hi', `ai interrupted: ${text}`, 'no credentials'];
const storedWhole = (text: string) => ['visitor confirmed: Hi', `ai whole: ${text}`, 'credentials cnv_1'];
const storedUnconfirmed = ['visitor unconfirmed: Hi', 'no credentials'];

const lostOutcome = 'The message stays, marked “Not confirmed”, with “Send again”. Nothing is sent automatically.';
const foreignOutcome =
  'The message stays, marked “Not confirmed”, since a proxy responded. Nothing of its page is rendered.';
const interruptedOutcome = 'The received text stays, marked as interrupted, with “Ask again”.';
const wholeOutcome = 'The complete reply, and nothing else.';

const unconfirmedFault = (name: string, cause: string, respond: CallHandler): Fault =>
  turnFault({ name, cause, outcome: lostOutcome, respond, shows: [lost], keeps: storedUnconfirmed });

const foreignFault = (name: string, cause: string, respond: CallHandler): Fault =>
  turnFault({ name, cause, outcome: foreignOutcome, respond, shows: [foreign], keeps: storedUnconfirmed });

const half: CallHandler = (call) => call.startStream().delta('Half');

/** A fault that occurs after the delta “Half”. */
const cutFault = (name: string, cause: string, after: CallHandler, respond = half): Fault =>
  turnFault({
    name,
    cause,
    outcome: interruptedOutcome,
    respond,
    after,
    shows: [confirmed, interrupted('Half')],
    keeps: storedInterrupted('Half'),
  });

/** The headers of the response arrive, and no text. */
const emptyFault = (name: string, cause: string, respond: CallHandler): Fault =>
  turnFault({
    name,
    cause,
    outcome: 'The message counts as accepted. The missing reply is marked as interrupted, with “Ask again”.',
    respond,
    shows: [confirmed, interrupted('')],
    keeps: storedInterrupted(''),
  });

const wholeFault = (name: string, cause: string, respond: CallHandler, text = 'Hello there'): Fault =>
  turnFault({
    name,
    cause,
    outcome: wholeOutcome,
    respond,
    shows: [confirmed, `assistant: ${text}`],
    keeps: storedWhole(text),
  });

const html = '<!doctype html><title>Sign in</title><h1>Sign in</h1>';
const arabic = 'أهلًا 👋🏽 “naïve” 日本';
const done = (fields?: Parameters<typeof started>[0]) => `event: done\ndata: ${JSON.stringify(started(fields))}\n\n`;
const say = (content: string) => ({ message: { id: 'msg_1', role: 'assistant', content } });
const wholeText = `event: delta\ndata: {"text":"Hello there"}\n\n${done()}`;

export const turnFaults: FaultGroup = {
  title: 'one turn',
  faults: [
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
    cutFault(
      'end without done',
      'The connection is closed normally, but without the event that ends a reply.',
      (call) => call.end(),
    ),
    emptyFault('a stream without events', 'The stream ends right after its headers.', (call) =>
      call.startStream().end(),
    ),
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
    cutFault('error event', 'The service ends its reply with an error event.', (call) =>
      call.event('error', { error: { code: 'internal_error', message: 'About it', request_id: 'req_1' } }).end(),
    ),
    cutFault(
      'error event with a stack trace',
      'The error event contains a raw dump instead of the contract’s body.',
      (call) => call.event('error', { code: 'E_PANIC', message: 'at main.go:42 <script>' }).end(),
    ),
    {
      name: 'error event of any shape',
      cause: 'The error event’s data is a text, a list, null, nothing, no JSON, or an envelope of another shape.',
      outcome: 'Each time the received text stays, marked as interrupted, with “Ask again”.',
      page: { attributes: { storage: 'memory' } },
      async run(page, server) {
        const shown: string[] = [];
        for (const data of ['"text"', '[]', 'null', '{}', 'no JSON', '{"error":"text"}', '{"error":{"code":7}}']) {
          server.onChat((call) => call.startStream().delta('Half').event('error', data).end());
          await page.send('Hi');
          shown.push(confirmed, interrupted('Half'));
          await page.expectTranscript(...shown);
          await page.waitUntilIdle();
        }
        await page.expectChatCalls(7);
        await page.expectNothingStored();
      },
    },
    wholeFault('malformed JSON in a delta', 'One of several deltas is not valid JSON.', (call) =>
      call.startStream().delta('Hello ').event('delta', '{"text": "bro').delta('there').write(done()).end(),
    ),
    cutFault('malformed JSON in done', 'The event that ends the reply is not valid JSON.', (call) =>
      call.event('done', '{"conversation_id":').end(),
    ),
    cutFault('done of no conversation', 'The event that ends the reply has no conversation id.', (call) =>
      call.event('done', { message: { id: 'm', role: 'assistant', content: 'Half' } }).end(),
    ),
    wholeFault('unknown events', 'The stream contains events that only newer versions know.', (call) =>
      call
        .startStream()
        .write(': keep-alive\n\nretry: 1\nid: 7\n\n')
        .event('thinking', { cause: 'it' })
        .event('__proto__', {})
        .event('toString', {})
        .write(wholeText)
        .end(),
    ),
    {
      ...wholeFault(
        'keys named __proto__',
        'The JSON has members named `__proto__` and `constructor` at every level.',
        (call) =>
          call
            .startStream()
            .event('delta', '{"__proto__": {"text": "polluted"}, "text": "Hello there"}')
            .event(
              'done',
              JSON.stringify(started()).replace(
                '{',
                '{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}},',
              ),
            )
            .end(),
      ),
    },
    wholeFault('deltas after done', 'More deltas follow the event that ends the reply.', (call) =>
      call.startStream().write(wholeText).delta(' and more').end(),
    ),
    wholeFault('done twice', 'Two events end the reply, and the second one has another text.', (call) =>
      call
        .startStream()
        .write(wholeText)
        .write(done(say('Another')))
        .end(),
    ),
    wholeFault('done differs from the deltas', 'The text of the last event differs from the deltas.', (call) =>
      call.startStream().delta('Goodbye **all').write(done()).end(),
    ),
    wholeFault('done without text', 'The last event has an empty message, although the deltas had text.', (call) =>
      call
        .startStream()
        .delta('Hello there')
        .write(done(say('')))
        .end(),
    ),
    turnFault({
      name: 'stall after the first delta',
      cause: 'No byte follows the first delta, and the connection stays open.',
      outcome: 'After a minute without a byte the text stays, marked as interrupted, with “Ask again”.',
      respond: (call) => call.startStream().delta('Half'),
      pass: 61_000,
      shows: [confirmed, 'assistant: Half — The reply took too long. [Ask again]'],
      keeps: storedInterrupted('Half'),
    }),
    turnFault({
      name: 'stall before the headers',
      cause: 'The service accepts the call and never responds.',
      outcome: 'After a minute the message is marked “Not confirmed”, with “Send again”.',
      respond: noResponse,
      pass: 61_000,
      shows: [`visitor: Hi — Not confirmed The reply took too long. ${again}`],
      keeps: storedUnconfirmed,
    }),
    {
      name: 'endless keep-alives',
      cause: 'The stream contains only keep-alive comments, without end.',
      outcome: 'After ten minutes the text stays, marked as interrupted, with “Ask again”.',
      page: { hasFakeClock: true },
      async run(page, server) {
        let stream: ServerCall | undefined;
        server.onChat((call) => (stream = call.startStream().delta('Half')));
        await page.send('Hi');
        await page.element.locator('.agent .text').waitFor();
        for (let passed = 0; passed < 600_000; passed += 50_000) {
          await page.waitUntilRead(() => stream!.write(': keep-alive\n\n'));
          await page.fastForward(50_000);
        }
        await page.waitUntilIdle();
        await page.expectTranscript(confirmed, 'assistant: Half — The reply took too long. [Ask again]');
        await page.expectStored(...storedInterrupted('Half'));
        await stream!.closed();
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'a slow stream',
      cause: 'Fifty seconds pass between the deltas, with keep-alive comments in between.',
      outcome: wholeOutcome,
      page: { hasFakeClock: true },
      async run(page, server) {
        const pieces: (() => void)[] = [];
        server.onChat((call) => {
          call.startStream().delta('Hello ');
          pieces.push(
            () => call.write(': keep-alive\n\n'),
            () => call.delta('there'),
            () => call.write(done()).end(),
          );
        });
        await page.send('Hi');
        await page.element.locator('.agent .text').waitFor();
        for (const piece of pieces) {
          await page.fastForward(50_000);
          await page.waitUntilRead(piece);
        }
        await page.waitUntilIdle();
        await page.expectTranscript(confirmed, 'assistant: Hello there');
        await page.expectStored(...storedWhole('Hello there'));
        await page.expectChatCalls(1);
      },
    },
    turnFault({
      name: 'a line of 10 MB',
      cause: 'One event is larger than the limit.',
      outcome: 'A sentence says that the reply was too large. The text before it stays, with “Ask again”.',
      respond: async (call) => {
        call.startStream().delta('Half').write('event: delta\ndata: {"text":"');
        await call.writePieces(Array.from({ length: 160 }, () => 'x'.repeat(65_536)));
        call.end();
      },
      shows: [confirmed, 'assistant: Half — The reply was too large to show. [Ask again]'],
      keeps: storedInterrupted('Half'),
    }),
    wholeFault(
      'byte by byte',
      'Every byte arrives separately, so that each multi-byte character is split.',
      (call) => {
        const text = `event: delta\ndata: {"text":${JSON.stringify(arabic)}}\n\n${done(say(arabic))}`;
        call.startStream();
        return call.writePieces(Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte))).then(() => call.end());
      },
      arabic,
    ),
    wholeFault('lines ended by CR', 'Lines end with a carriage return only.', (call) =>
      call.startStream().write(wholeText.replaceAll('\n', '\r')).end(),
    ),
    wholeFault('lines ended by CRLF', 'Lines end with CR and LF, which arrive separately.', (call) =>
      call
        .startStream()
        .writePieces(wholeText.replaceAll('\n', '\r\n').split(/(?<=\r)/))
        .then(() => call.end()),
    ),
    wholeFault('a byte order mark', 'The stream starts with a byte order mark whose bytes arrive separately.', (call) =>
      call
        .startStream()
        .writePieces([Uint8Array.of(0xef), Uint8Array.of(0xbb), Uint8Array.of(0xbf), wholeText])
        .then(() => call.end()),
    ),
    wholeFault('everything at once', 'A proxy buffers the stream until it is complete.', (call) =>
      call.respond(200, 'text/event-stream', wholeText),
    ),
    wholeFault(
      'a JSON response to a streamed call',
      'The service or a proxy responds with JSON instead of a stream.',
      (call) => call.respond(200, 'application/json; charset=utf-8', JSON.stringify(started())),
    ),
    turnFault({
      name: 'an id without a token',
      cause: 'The first reply has a conversation id but no token.',
      outcome: 'The reply is rendered. The next message starts a new conversation, since this one cannot continue.',
      respond: (call) => call.startStream().event('done', response()).end(),
      shows: [confirmed, 'assistant: Hello there'],
      keeps: ['visitor confirmed: Hi', 'ai whole: Hello there', 'no credentials'],
    }),
    turnFault({
      name: 'reset before headers, in Arabic',
      cause: 'The fault of the same name, with the Arabic locale.',
      outcome: 'The same outcome, with Arabic sentences.',
      page: { attributes: { locale: 'ar' } },
      respond: resetConnection,
      shows: ['visitor: Hi — لم يتأكد الإرسال تعذّر الاتصال، ولسنا متأكدين من وصول رسالتك. [إرسال مجددًا] [تعديل]'],
      keeps: storedUnconfirmed,
    }),
    turnFault({
      name: 'end without done, in Arabic',
      cause: 'The fault of the same name, with the Arabic locale.',
      outcome: 'The same outcome, with Arabic sentences.',
      page: { attributes: { locale: 'ar' } },
      respond: (call) => call.startStream().delta('نصف').end(),
      shows: [confirmed, 'assistant: نصف — انقطعت الإجابة قبل أن تكتمل. [السؤال مجددًا]'],
      keeps: storedInterrupted('نصف'),
    }),
    {
      name: 'cut, then a plain call',
      cause: 'This network cuts off streams, but not JSON responses.',
      outcome: 'The reply to the next question arrives as JSON. Later replies stream again.',
      async run(page, server) {
        server.onChat((call) => call.startStream().delta('Half').end(), reply('Two'), reply('Three'));
        await page.send('Hi');
        await page.expectTranscript(confirmed, interrupted('Half'));
        await page.button('Ask again').click();
        await page.waitUntilIdle();
        await page.expectTranscript(confirmed, interrupted('Half'), confirmed, 'assistant: Two');
        await page.send('More');
        await page.expectTranscript(
          confirmed,
          interrupted('Half'),
          confirmed,
          'assistant: Two',
          'visitor: More',
          'assistant: Three',
        );
        const streams = server.chatCalls.map(({ body }) => (JSON.parse(body) as { stream?: boolean }).stream ?? false);
        expect(streams).toEqual([true, false, true]);
        await page.expectStored(
          'visitor confirmed: Hi',
          'ai interrupted: Half',
          'visitor confirmed: Hi',
          'ai whole: Two',
          'visitor confirmed: More',
          'ai whole: Three',
          'credentials cnv_1',
        );
      },
    },
  ],
};
