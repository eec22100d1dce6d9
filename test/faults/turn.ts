/** The turn under fire: whatever the network, a proxy or the service does to one answer. */
import type { Fault, FaultGroup } from '../support/pages/fault.ts';
import type { PageOptions } from '../support/pages/fault-page.ts';
import type { Exchange } from '../support/servers/exchange.ts';
import { response, started } from '../support/fakes/fake-service.ts';
import type { Misdeed } from '../support/servers/hostile-server.ts';
import { answered, cut, silence } from '../support/servers/server-faults.ts';

interface TurnFault extends Pick<Fault, 'name' | 'about' | 'sees'> {
  answer: Misdeed;
  /** What happens once the visitor sees what came so far. */
  after?: (exchange: Exchange) => unknown;
  /** Milliseconds that pass on the page's clock once the visitor sees what came so far. */
  pass?: number;
  shows: string[];
  keeps: string[];
  page?: PageOptions;
}

/** A fault of one streamed answer to “Hi”. */
const turnFault = ({ name, about, sees, answer, after, pass, shows, keeps, page }: TurnFault): Fault => ({
  name,
  about,
  sees,
  page: { clock: pass !== undefined, ...page },
  async prove(visitor, server) {
    let exchange: Exchange | undefined;
    server.answer((given) => answer((exchange = given)));
    await visitor.send('Hi');
    await server.received(1);
    if ((after || pass) && shows.length > 1) await visitor.element.locator('.agent .text').waitFor();
    await after?.(exchange!);
    if (pass) await visitor.pass(pass);
    await visitor.settled();
    await visitor.shows(...shows);
    await visitor.keeps(...keeps);
    await visitor.until(async () => server.posts.length, 1);
  },
});

const confirmed = 'visitor: Hi';
const again = '[Send again] [Edit]';
const lost = `visitor: Hi — Not confirmed We couldn’t confirm that your message arrived. ${again}`;
const foreign = `visitor: Hi — Not confirmed Your network blocked the message (a Wi-Fi sign-in page or a firewall?). ${again}`;
const interrupted = (text: string) => `agent: ${text && `${text} `}— The reply was interrupted. [Ask again]`;
const keptCut = (text: string) => ['visitor confirmed: Hi', `ai interrupted: ${text}`, 'no pair'];
const keptWhole = (text: string) => ['visitor confirmed: Hi', `ai whole: ${text}`, 'pair cnv_1'];
const keptUnconfirmed = ['visitor unconfirmed: Hi', 'no pair'];

const seenLost = 'The message stays, “Not confirmed”, with “Send again”; nothing is sent by itself.';
const seenForeign = 'The message stays, “Not confirmed”: something in between answered. Nothing of its page is shown.';
const seenCut = 'The text that came stays, marked as interrupted, with “Ask again”.';
const seenWhole = 'The whole answer, and nothing else.';

const unconfirmedFault = (name: string, about: string, answer: Misdeed): Fault =>
  turnFault({ name, about, sees: seenLost, answer, shows: [lost], keeps: keptUnconfirmed });

const foreignFault = (name: string, about: string, answer: Misdeed): Fault =>
  turnFault({ name, about, sees: seenForeign, answer, shows: [foreign], keeps: keptUnconfirmed });

const half: Misdeed = (exchange) => exchange.stream().delta('Half');

/** “Half” comes, and then this. */
const cutFault = (name: string, about: string, after: Misdeed, answer = half): Fault =>
  turnFault({
    name,
    about,
    sees: seenCut,
    answer,
    after,
    shows: [confirmed, interrupted('Half')],
    keeps: keptCut('Half'),
  });

/** The answer's headers come, and not a word. */
const emptyFault = (name: string, about: string, answer: Misdeed): Fault =>
  turnFault({
    name,
    about,
    sees: 'The message counts as taken; the missing answer is marked as interrupted, with “Ask again”.',
    answer,
    shows: [confirmed, interrupted('')],
    keeps: keptCut(''),
  });

const wholeFault = (name: string, about: string, answer: Misdeed, text = 'Hello there'): Fault =>
  turnFault({
    name,
    about,
    sees: seenWhole,
    answer,
    shows: [confirmed, `agent: ${text}`],
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
    unconfirmedFault('reset before headers', 'The connection is reset before a byte of the answer.', cut),
    {
      name: 'refused connection',
      about: 'Nothing listens at the service’s port.',
      sees: seenLost,
      page: { attributes: { 'base-url': 'http://127.0.0.1:9/api/v2' } },
      async prove(page, server) {
        await page.send('Hi');
        await page.settled();
        await page.shows(lost);
        await page.keeps(...keptUnconfirmed);
        await page.until(async () => server.posts.length, 0);
      },
    },
    {
      name: 'refused preflight',
      about: 'The answer to the preflight lets no page call the service.',
      sees: 'The message stays, “Not confirmed”; no POST ever leaves.',
      async prove(page, server) {
        server.refusesPreflight = true;
        await page.send('Hi');
        await page.settled();
        await page.shows(lost);
        await page.keeps(...keptUnconfirmed);
        await page.until(async () => server.posts.length, 0);
      },
    },
    unconfirmedFault('no HTTP at all', 'The port answers, in another protocol.', (exchange) =>
      exchange.write('SSH-2.0-OpenSSH_9.9\r\n').end(),
    ),
    unconfirmedFault(
      '502 without CORS',
      'A proxy’s 502 comes without the headers that let a page read it.',
      (exchange) => {
        exchange.head(502, { 'content-type': 'text/html' }, false).write(html).end();
      },
    ),
    cutFault('reset in mid-stream', 'The connection is reset after a part of the answer.', cut),
    cutFault(
      'end without done',
      'The connection is closed in order, without the event that ends an answer.',
      (exchange) => exchange.end(),
    ),
    emptyFault('a stream without events', 'The stream’s headers come, and then its end.', (exchange) =>
      exchange.stream().end(),
    ),
    cutFault(
      'short body',
      'The body ends before the length that its headers gave.',
      (exchange) => exchange.end(),
      (exchange) => exchange.head(200, { 'content-type': 'text/event-stream', 'content-length': '9999' }).delta('Half'),
    ),
    cutFault(
      'broken chunk',
      'The chunked coding breaks after a part of the answer.',
      (exchange) => exchange.write('zz\r\n').end(),
      (exchange) => {
        const text = 'event: delta\ndata: {"text":"Half"}\n\n';
        exchange.head(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' });
        exchange.write(`${text.length.toString(16)}\r\n${text}\r\n`);
      },
    ),
    emptyFault('bad gzip', 'The stream says that it is compressed, and is not.', (exchange) =>
      exchange.head(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }).write('no gzip').end(),
    ),
    unconfirmedFault('short JSON', 'A plain answer ends before its length.', (exchange) =>
      exchange.head(200, { 'content-type': 'application/json', 'content-length': '9999' }).write('{"conv').end(),
    ),
    foreignFault('204', 'The answer is empty on purpose.', (exchange) => exchange.head(204, {}).end()),
    foreignFault('an HTML page for an answer', 'A captive portal answers 200 with its page.', (exchange) =>
      exchange.reply(200, 'text/html', html),
    ),
    foreignFault('a redirect to a login page', 'A gateway redirects the call to its login page.', (exchange) =>
      exchange.head(302, { location: '/login', 'content-length': '0' }).end(),
    ),
    foreignFault('500 with HTML', 'The server’s error page comes instead of the contract’s envelope.', (exchange) =>
      exchange.reply(500, 'text/html', '<h1>Traceback (most recent call last)</h1>'),
    ),
    foreignFault(
      '403 with HTML',
      'A firewall refuses the call with its own page, so that nobody knows what arrived.',
      (exchange) => exchange.reply(403, 'text/html', '<h1>Blocked</h1>'),
    ),
    foreignFault('an answer that is no answer', 'JSON comes, of a shape that the contract does not know.', (exchange) =>
      exchange.reply(200, 'application/json', '[null, {"ok": true}]'),
    ),
    foreignFault('events as plain text', 'The events come without the content type of a stream.', (exchange) =>
      exchange.reply(200, 'text/plain', wholeText),
    ),
    cutFault('error event', 'The service ends its answer with an error event.', (exchange) =>
      exchange.event('error', { error: { code: 'internal_error', message: 'About it', request_id: 'req_1' } }).end(),
    ),
    cutFault(
      'error event with a stack trace',
      'The error event carries a raw dump instead of the contract’s body.',
      (exchange) => exchange.event('error', { code: 'E_PANIC', message: 'at main.go:42 <script>' }).end(),
    ),
    {
      name: 'error event of any shape',
      about: 'The error event’s data is a text, a list, null, nothing, no JSON, or an envelope of another shape.',
      sees: 'Each time the text that came stays, marked as interrupted, with “Ask again”.',
      page: { attributes: { storage: 'memory' } },
      async prove(page, server) {
        const shown: string[] = [];
        for (const data of ['"text"', '[]', 'null', '{}', 'no JSON', '{"error":"text"}', '{"error":{"code":7}}']) {
          server.answer((exchange) => exchange.stream().delta('Half').event('error', data).end());
          await page.send('Hi');
          shown.push(confirmed, interrupted('Half'));
          await page.shows(...shown);
          await page.settled();
        }
        await page.until(async () => server.posts.length, 7);
        await page.keepsNothing();
      },
    },
    wholeFault('malformed JSON in a delta', 'One delta among others does not parse.', (exchange) =>
      exchange.stream().delta('Hello ').event('delta', '{"text": "bro').delta('there').write(done()).end(),
    ),
    cutFault('malformed JSON in done', 'The event that ends the answer does not parse.', (exchange) =>
      exchange.event('done', '{"conversation_id":').end(),
    ),
    cutFault('done of no conversation', 'The event that ends the answer names no conversation.', (exchange) =>
      exchange.event('done', { message: { id: 'm', role: 'assistant', content: 'Half' } }).end(),
    ),
    wholeFault('unknown events', 'Events of a newer service come among the known ones.', (exchange) =>
      exchange
        .stream()
        .write(': keep-alive\n\nretry: 1\nid: 7\n\n')
        .event('thinking', { about: 'it' })
        .event('__proto__', {})
        .event('toString', {})
        .write(wholeText)
        .end(),
    ),
    {
      ...wholeFault(
        'keys named __proto__',
        'Members named `__proto__` and `constructor` come at every level.',
        (exchange) =>
          exchange
            .stream()
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
    wholeFault('deltas after done', 'More text comes after the end.', (exchange) =>
      exchange.stream().write(wholeText).delta(' and more').end(),
    ),
    wholeFault('two ends', 'The answer ends twice, the second time otherwise.', (exchange) =>
      exchange
        .stream()
        .write(wholeText)
        .write(done(say('Another')))
        .end(),
    ),
    wholeFault('done differs from the deltas', 'The end says something else than the pieces did.', (exchange) =>
      exchange.stream().delta('Goodbye **all').write(done()).end(),
    ),
    wholeFault('done without text', 'The end carries an empty message after pieces that said something.', (exchange) =>
      exchange
        .stream()
        .delta('Hello there')
        .write(done(say('')))
        .end(),
    ),
    turnFault({
      name: 'stall after the first delta',
      about: 'Not a byte comes after the first piece, and the connection stays open.',
      sees: 'After a minute without a byte the text stays, marked, with “Ask again”.',
      answer: (exchange) => exchange.stream().delta('Half'),
      pass: 61_000,
      shows: [confirmed, 'agent: Half — The reply took too long. [Ask again]'],
      keeps: keptCut('Half'),
    }),
    turnFault({
      name: 'stall before the headers',
      about: 'The call is taken, and nothing ever comes back.',
      sees: 'After a minute the message is “Not confirmed”, with “Send again”.',
      answer: silence,
      pass: 61_000,
      shows: [`visitor: Hi — Not confirmed The reply took too long. ${again}`],
      keeps: keptUnconfirmed,
    }),
    {
      name: 'endless keep-alives',
      about: 'Keep-alive comments come for ever, and no answer.',
      sees: 'After ten minutes the text stays, marked, with “Ask again”.',
      page: { clock: true },
      async prove(page, server) {
        let stream: Exchange | undefined;
        server.answer((exchange) => (stream = exchange.stream().delta('Half')));
        await page.send('Hi');
        await page.element.locator('.agent .text').waitFor();
        for (let passed = 0; passed < 600_000; passed += 50_000) {
          await page.reads(() => stream!.write(': keep-alive\n\n'));
          await page.pass(50_000);
        }
        await page.settled();
        await page.shows(confirmed, 'agent: Half — The reply took too long. [Ask again]');
        await page.keeps(...keptCut('Half'));
        await stream!.hungUp();
        await page.until(async () => server.posts.length, 1);
      },
    },
    {
      name: 'slow, and alive',
      about: 'Fifty seconds lie between the pieces, with keep-alives in between.',
      sees: seenWhole,
      page: { clock: true },
      async prove(page, server) {
        const pieces: (() => void)[] = [];
        server.answer((exchange) => {
          exchange.stream().delta('Hello ');
          pieces.push(
            () => exchange.write(': keep-alive\n\n'),
            () => exchange.delta('there'),
            () => exchange.write(done()).end(),
          );
        });
        await page.send('Hi');
        await page.element.locator('.agent .text').waitFor();
        for (const piece of pieces) {
          await page.pass(50_000);
          await page.reads(piece);
        }
        await page.settled();
        await page.shows(confirmed, 'agent: Hello there');
        await page.keeps(...keptWhole('Hello there'));
        await page.until(async () => server.posts.length, 1);
      },
    },
    turnFault({
      name: 'a line of 10 MB',
      about: 'One event is larger than anything that the service would send.',
      sees: 'A clear sentence; the text before it stays, with “Ask again”.',
      answer: async (exchange) => {
        exchange.stream().delta('Half').write('event: delta\ndata: {"text":"');
        await exchange.pieces(Array.from({ length: 160 }, () => 'x'.repeat(65_536)));
        exchange.end();
      },
      shows: [confirmed, 'agent: Half — The reply was too large to show. [Ask again]'],
      keeps: keptCut('Half'),
    }),
    wholeFault(
      'byte by byte',
      'Every byte comes alone, so that each character of several bytes is split everywhere.',
      (exchange) => {
        const text = `event: delta\ndata: {"text":${JSON.stringify(arabic)}}\n\n${done(say(arabic))}`;
        exchange.stream();
        return exchange.pieces(Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte))).then(() => exchange.end());
      },
      arabic,
    ),
    wholeFault('lines ended by CR', 'Lines end with a carriage return alone.', (exchange) =>
      exchange.stream().write(wholeText.replaceAll('\n', '\r')).end(),
    ),
    wholeFault('lines ended by CRLF', 'Lines end with both, split between the two.', (exchange) =>
      exchange
        .stream()
        .pieces(wholeText.replaceAll('\n', '\r\n').split(/(?<=\r)/))
        .then(() => exchange.end()),
    ),
    wholeFault('a byte order mark', 'The stream begins with a byte order mark, itself split.', (exchange) =>
      exchange
        .stream()
        .pieces([Uint8Array.of(0xef), Uint8Array.of(0xbb), Uint8Array.of(0xbf), wholeText])
        .then(() => exchange.end()),
    ),
    wholeFault('everything at once', 'A proxy keeps the stream until it is whole.', (exchange) =>
      exchange.reply(200, 'text/event-stream', wholeText),
    ),
    wholeFault('a plain answer to a streamed call', 'The service, or a proxy, answers with JSON.', (exchange) =>
      exchange.reply(200, 'application/json; charset=utf-8', JSON.stringify(started())),
    ),
    turnFault({
      name: 'half a pair',
      about: 'The first answer names its conversation and gives no token.',
      sees: 'The answer; the next message begins a new conversation, since this one cannot be continued.',
      answer: (exchange) => exchange.stream().event('done', response()).end(),
      shows: [confirmed, 'agent: Hello there'],
      keeps: ['visitor confirmed: Hi', 'ai whole: Hello there', 'no pair'],
    }),
    turnFault({
      name: 'reset before headers, in Arabic',
      about: 'The same as in English.',
      sees: 'The same, in Arabic.',
      page: { attributes: { locale: 'ar' } },
      answer: cut,
      shows: ['visitor: Hi — لم يتأكد الإرسال تعذّر الاتصال، ولسنا متأكدين من وصول رسالتك. [إرسال مجددًا] [تعديل]'],
      keeps: keptUnconfirmed,
    }),
    turnFault({
      name: 'end without done, in Arabic',
      about: 'The same as in English.',
      sees: 'The same, in Arabic.',
      page: { attributes: { locale: 'ar' } },
      answer: (exchange) => exchange.stream().delta('نصف').end(),
      shows: [confirmed, 'agent: نصف — انقطعت الإجابة قبل أن تكتمل. [السؤال مجددًا]'],
      keeps: keptCut('نصف'),
    }),
    {
      name: 'cut, then cut again',
      about: 'Streams get cut here; a plain answer does not.',
      sees: 'The next question is answered whole, all at once; later ones stream again.',
      async prove(page, server) {
        server.answer((exchange) => exchange.stream().delta('Half').end(), answered('Two'), answered('Three'));
        await page.send('Hi');
        await page.shows(confirmed, interrupted('Half'));
        await page.button('Ask again').click();
        await page.settled();
        await page.shows(confirmed, interrupted('Half'), confirmed, 'agent: Two');
        await page.send('More');
        await page.shows(confirmed, interrupted('Half'), confirmed, 'agent: Two', 'visitor: More', 'agent: Three');
        const streams = server.posts.map(({ body }) => (JSON.parse(body) as { stream?: boolean }).stream ?? false);
        await page.until(async () => streams, [true, false, true]);
        await page.keeps(
          'visitor confirmed: Hi',
          'ai interrupted: Half',
          'visitor confirmed: Hi',
          'ai whole: Two',
          'visitor confirmed: More',
          'ai whole: Three',
          'pair cnv_1',
        );
      },
    },
  ],
};
