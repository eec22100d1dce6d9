/** The turn under fire: whatever the network, a proxy or the service does to one answer. */
import { expect } from '@playwright/test';
import type { Fault, FaultGroup } from '../support/pages/fault.ts';
import type { PageOptions } from '../support/pages/fault-page.ts';
import type { ServerCall } from '../support/servers/server-call.ts';
import { response, started } from '../support/fakes/fake-service.ts';
import type { CallHandler } from '../support/servers/hostile-server.ts';
import { reply, resetConnection, noResponse } from '../support/servers/server-faults.ts';

interface TurnFault extends Pick<Fault, 'name' | 'cause' | 'outcome'> {
  answer: CallHandler;
  /** What happens once the visitor sees what came so far. */
  after?: (call: ServerCall) => unknown;
  /** Milliseconds that pass on the page's clock once the visitor sees what came so far. */
  pass?: number;
  shows: string[];
  keeps: string[];
  page?: PageOptions;
}

/** A fault of one streamed answer to “Hi”. */
const turnFault = ({ name, cause, outcome, answer, after, pass, shows, keeps, page }: TurnFault): Fault => ({
  name,
  cause,
  outcome,
  page: { hasFakeClock: pass !== undefined, ...page },
  async run(visitor, server) {
    let call: ServerCall | undefined;
    server.onChat((given) => answer((call = given)));
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
const lost = `visitor: Hi — Not confirmed The connection failed, so it is not sure that your message arrived. ${again}`;
const foreign = `visitor: Hi — Not confirmed Something between you and us answered in our place. It is not sure that your message arrived. ${again}`;
const interrupted = (text: string) => `assistant: ${text && `${text} `}— The answer was interrupted. [Ask again]`;
const keptCut = (text: string) => ['visitor confirmed: Hi', `ai interrupted: ${text}`, 'no credentials'];
const keptWhole = (text: string) => ['visitor confirmed: Hi', `ai whole: ${text}`, 'credentials cnv_1'];
const keptUnconfirmed = ['visitor unconfirmed: Hi', 'no credentials'];

const seenLost = 'The message stays, “Not confirmed”, with “Send again”; nothing is sent by itself.';
const seenForeign = 'The message stays, “Not confirmed”: something in between answered. Nothing of its page is shown.';
const seenCut = 'The text that came stays, marked as interrupted, with “Ask again”.';
const seenWhole = 'The whole answer, and nothing else.';

const unconfirmedFault = (name: string, cause: string, answer: CallHandler): Fault =>
  turnFault({ name, cause, outcome: seenLost, answer, shows: [lost], keeps: keptUnconfirmed });

const foreignFault = (name: string, cause: string, answer: CallHandler): Fault =>
  turnFault({ name, cause, outcome: seenForeign, answer, shows: [foreign], keeps: keptUnconfirmed });

const half: CallHandler = (call) => call.startStream().delta('Half');

/** “Half” comes, and then this. */
const cutFault = (name: string, cause: string, after: CallHandler, answer = half): Fault =>
  turnFault({
    name,
    cause,
    outcome: seenCut,
    answer,
    after,
    shows: [confirmed, interrupted('Half')],
    keeps: keptCut('Half'),
  });

/** The answer's headers come, and not a word. */
const emptyFault = (name: string, cause: string, answer: CallHandler): Fault =>
  turnFault({
    name,
    cause,
    outcome: 'The message counts as taken; the missing answer is marked as interrupted, with “Ask again”.',
    answer,
    shows: [confirmed, interrupted('')],
    keeps: keptCut(''),
  });

const wholeFault = (name: string, cause: string, answer: CallHandler, text = 'Hello there'): Fault =>
  turnFault({
    name,
    cause,
    outcome: seenWhole,
    answer,
    shows: [confirmed, `assistant: ${text}`],
    keeps: keptWhole(text),
  });

const html = '<!doctype html><title>Sign in</title><h1>Sign in</h1>';
const arabic = 'أهلًا 👋🏽 “naïve” 日本';
const done = (fields?: Parameters<typeof started>[0]) => `event: done\ndata: ${JSON.stringify(started(fields))}\n\n`;
const say = (content: string) => ({ message: { id: 'msg_1', role: 'assistant', content } });
const wholeText = `event: delta\ndata: {"text":"Hello there"}\n\n${done()}`;

export const turnFaults: FaultGroup = {
  title: 'the turn under fire',
  faults: [
    unconfirmedFault('reset before headers', 'The connection is reset before a byte of the answer.', resetConnection),
    {
      name: 'refused connection',
      cause: 'Nothing listens at the service’s port.',
      outcome: seenLost,
      page: { attributes: { 'base-url': 'http://127.0.0.1:9/api/v2' } },
      async run(page) {
        await page.send('Hi');
        await page.waitUntilIdle();
        await page.expectTranscript(lost);
        await page.expectStored(...keptUnconfirmed);
        await page.expectChatCalls(0);
      },
    },
    {
      name: 'refused preflight',
      cause: 'The answer to the preflight lets no page call the service.',
      outcome: 'The message stays, “Not confirmed”; no POST ever leaves.',
      async run(page, server) {
        server.refusesPreflight = true;
        await page.send('Hi');
        await page.waitUntilIdle();
        await page.expectTranscript(lost);
        await page.expectStored(...keptUnconfirmed);
        await page.expectChatCalls(0);
      },
    },
    unconfirmedFault('no HTTP at all', 'The port answers, in another protocol.', (call) =>
      call.write('SSH-2.0-OpenSSH_9.9\r\n').end(),
    ),
    unconfirmedFault('502 without CORS', 'A proxy’s 502 comes without the headers that let a page read it.', (call) => {
      call.writeHead(502, { 'content-type': 'text/html' }, false).write(html).end();
    }),
    cutFault('reset in mid-stream', 'The connection is reset after a part of the answer.', resetConnection),
    cutFault('end without done', 'The connection is closed in order, without the event that ends an answer.', (call) =>
      call.end(),
    ),
    emptyFault('a stream without events', 'The stream’s headers come, and then its end.', (call) =>
      call.startStream().end(),
    ),
    cutFault(
      'short body',
      'The body ends before the length that its headers gave.',
      (call) => call.end(),
      (call) => call.writeHead(200, { 'content-type': 'text/event-stream', 'content-length': '9999' }).delta('Half'),
    ),
    cutFault(
      'broken chunk',
      'The chunked coding breaks after a part of the answer.',
      (call) => call.write('zz\r\n').end(),
      (call) => {
        const text = 'event: delta\ndata: {"text":"Half"}\n\n';
        call.writeHead(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' });
        call.write(`${text.length.toString(16)}\r\n${text}\r\n`);
      },
    ),
    emptyFault('bad gzip', 'The stream says that it is compressed, and is not.', (call) =>
      call.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }).write('no gzip').end(),
    ),
    unconfirmedFault('short JSON', 'A plain answer ends before its length.', (call) =>
      call.writeHead(200, { 'content-type': 'application/json', 'content-length': '9999' }).write('{"conv').end(),
    ),
    foreignFault('204', 'The answer is empty on purpose.', (call) => call.writeHead(204, {}).end()),
    foreignFault('an HTML page for an answer', 'A captive portal answers 200 with its page.', (call) =>
      call.respond(200, 'text/html', html),
    ),
    foreignFault('a redirect to a login page', 'A gateway redirects the call to its login page.', (call) =>
      call.writeHead(302, { location: '/login', 'content-length': '0' }).end(),
    ),
    foreignFault('500 with HTML', 'The server’s error page comes instead of the contract’s envelope.', (call) =>
      call.respond(500, 'text/html', '<h1>Traceback (most recent call last)</h1>'),
    ),
    foreignFault(
      '403 with HTML',
      'A firewall refuses the call with its own page, so that nobody knows what arrived.',
      (call) => call.respond(403, 'text/html', '<h1>Blocked</h1>'),
    ),
    foreignFault('an answer that is no answer', 'JSON comes, of a shape that the contract does not know.', (call) =>
      call.respond(200, 'application/json', '[null, {"ok": true}]'),
    ),
    foreignFault('events as plain text', 'The events come without the content type of a stream.', (call) =>
      call.respond(200, 'text/plain', wholeText),
    ),
    cutFault('error event', 'The service ends its answer with an error event.', (call) =>
      call.event('error', { error: { code: 'internal_error', message: 'About it', request_id: 'req_1' } }).end(),
    ),
    cutFault(
      'error event with a stack trace',
      'The error event carries a raw dump instead of the contract’s body.',
      (call) => call.event('error', { code: 'E_PANIC', message: 'at main.go:42 <script>' }).end(),
    ),
    {
      name: 'error event of any shape',
      cause: 'The error event’s data is a text, a list, null, nothing, no JSON, or an envelope of another shape.',
      outcome: 'Each time the text that came stays, marked as interrupted, with “Ask again”.',
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
    wholeFault('malformed JSON in a delta', 'One delta among others does not parse.', (call) =>
      call.startStream().delta('Hello ').event('delta', '{"text": "bro').delta('there').write(done()).end(),
    ),
    cutFault('malformed JSON in done', 'The event that ends the answer does not parse.', (call) =>
      call.event('done', '{"conversation_id":').end(),
    ),
    cutFault('done of no conversation', 'The event that ends the answer names no conversation.', (call) =>
      call.event('done', { message: { id: 'm', role: 'assistant', content: 'Half' } }).end(),
    ),
    wholeFault('unknown events', 'Events of a newer service come among the known ones.', (call) =>
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
        'Members named `__proto__` and `constructor` come at every level.',
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
    wholeFault('deltas after done', 'More text comes after the end.', (call) =>
      call.startStream().write(wholeText).delta(' and more').end(),
    ),
    wholeFault('two ends', 'The answer ends twice, the second time otherwise.', (call) =>
      call
        .startStream()
        .write(wholeText)
        .write(done(say('Another')))
        .end(),
    ),
    wholeFault('done differs from the deltas', 'The end says something else than the pieces did.', (call) =>
      call.startStream().delta('Goodbye **all').write(done()).end(),
    ),
    wholeFault('done without text', 'The end carries an empty message after pieces that said something.', (call) =>
      call
        .startStream()
        .delta('Hello there')
        .write(done(say('')))
        .end(),
    ),
    turnFault({
      name: 'stall after the first delta',
      cause: 'Not a byte comes after the first piece, and the connection stays open.',
      outcome: 'After a minute without a byte the text stays, marked, with “Ask again”.',
      answer: (call) => call.startStream().delta('Half'),
      pass: 61_000,
      shows: [confirmed, 'assistant: Half — The answer took too long to come. [Ask again]'],
      keeps: keptCut('Half'),
    }),
    turnFault({
      name: 'stall before the headers',
      cause: 'The call is taken, and nothing ever comes back.',
      outcome: 'After a minute the message is “Not confirmed”, with “Send again”.',
      answer: noResponse,
      pass: 61_000,
      shows: [`visitor: Hi — Not confirmed The answer took too long to come. ${again}`],
      keeps: keptUnconfirmed,
    }),
    {
      name: 'endless keep-alives',
      cause: 'Keep-alive comments come for ever, and no answer.',
      outcome: 'After ten minutes the text stays, marked, with “Ask again”.',
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
        await page.expectTranscript(confirmed, 'assistant: Half — The answer took too long to come. [Ask again]');
        await page.expectStored(...keptCut('Half'));
        await stream!.closed();
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'slow, and alive',
      cause: 'Fifty seconds lie between the pieces, with keep-alives in between.',
      outcome: seenWhole,
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
        await page.expectStored(...keptWhole('Hello there'));
        await page.expectChatCalls(1);
      },
    },
    turnFault({
      name: 'a line of 10 MB',
      cause: 'One event is larger than anything that the service would send.',
      outcome: 'A clear sentence; the text before it stays, with “Ask again”.',
      answer: async (call) => {
        call.startStream().delta('Half').write('event: delta\ndata: {"text":"');
        await call.writePieces(Array.from({ length: 160 }, () => 'x'.repeat(65_536)));
        call.end();
      },
      shows: [confirmed, 'assistant: Half — The answer was too large to be shown. [Ask again]'],
      keeps: keptCut('Half'),
    }),
    wholeFault(
      'byte by byte',
      'Every byte comes alone, so that each character of several bytes is split everywhere.',
      (call) => {
        const text = `event: delta\ndata: {"text":${JSON.stringify(arabic)}}\n\n${done(say(arabic))}`;
        call.startStream();
        return call.writePieces(Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte))).then(() => call.end());
      },
      arabic,
    ),
    wholeFault('lines ended by CR', 'Lines end with a carriage return alone.', (call) =>
      call.startStream().write(wholeText.replaceAll('\n', '\r')).end(),
    ),
    wholeFault('lines ended by CRLF', 'Lines end with both, split between the two.', (call) =>
      call
        .startStream()
        .writePieces(wholeText.replaceAll('\n', '\r\n').split(/(?<=\r)/))
        .then(() => call.end()),
    ),
    wholeFault('a byte order mark', 'The stream begins with a byte order mark, itself split.', (call) =>
      call
        .startStream()
        .writePieces([Uint8Array.of(0xef), Uint8Array.of(0xbb), Uint8Array.of(0xbf), wholeText])
        .then(() => call.end()),
    ),
    wholeFault('everything at once', 'A proxy keeps the stream until it is whole.', (call) =>
      call.respond(200, 'text/event-stream', wholeText),
    ),
    wholeFault('a plain answer to a streamed call', 'The service, or a proxy, answers with JSON.', (call) =>
      call.respond(200, 'application/json; charset=utf-8', JSON.stringify(started())),
    ),
    turnFault({
      name: 'half a pair',
      cause: 'The first answer names its conversation and gives no token.',
      outcome: 'The answer; the next message begins a new conversation, since this one cannot be continued.',
      answer: (call) => call.startStream().event('done', response()).end(),
      shows: [confirmed, 'assistant: Hello there'],
      keeps: ['visitor confirmed: Hi', 'ai whole: Hello there', 'no credentials'],
    }),
    turnFault({
      name: 'reset before headers, in Arabic',
      cause: 'The same as in English.',
      outcome: 'The same, in Arabic.',
      page: { attributes: { locale: 'ar' } },
      answer: resetConnection,
      shows: ['visitor: Hi — لم يتأكد الإرسال تعذّر الاتصال، ولسنا متأكدين من وصول رسالتك. [إرسال مجددًا] [تعديل]'],
      keeps: keptUnconfirmed,
    }),
    turnFault({
      name: 'end without done, in Arabic',
      cause: 'The same as in English.',
      outcome: 'The same, in Arabic.',
      page: { attributes: { locale: 'ar' } },
      answer: (call) => call.startStream().delta('نصف').end(),
      shows: [confirmed, 'assistant: نصف — انقطعت الإجابة قبل أن تكتمل. [السؤال مجددًا]'],
      keeps: keptCut('نصف'),
    }),
    {
      name: 'resetConnection, then cut again',
      cause: 'Streams get cut here; a plain answer does not.',
      outcome: 'The next question is answered whole, all at once; later ones stream again.',
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
