import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { events, jobs, sources } from '../../service/db/schema.ts';
import { splitParagraph } from '../../service/knowledge/chunks.ts';
import { startBefore, useServer, useTestService } from './support.ts';

const size = 3_000_000;
const fill = (piece: string, length = size) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
let seed = 1;
/** Different words, the same in every run. */
const distinctWords = (length: number) => {
  const words: string[] = [];
  for (let total = 0; total < length; total += words.at(-1)!.length + 1) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    words.push(`w${seed.toString(36)}`);
  }
  return words.join(' ').slice(0, length);
};

const pages: Record<string, () => string> = {
  'unclosed scripts': () => fill('<script>'),
  'unclosed comments': () => fill('<!--'),
  'unclosed links': () => fill('<a href="'),
  'links without an end': () => fill('<a '),
  'unclosed main elements': () => fill('<main>x'),
  'unclosed titles': () => fill('<title>'),
  'deeply nested elements': () => fill('<div>'),
  'nested elements with foreign end tags': () => fill('<b>', size / 2) + fill('</i>', size / 2),
  'opening angle brackets': () => fill('<'),
  'half entities': () => `<p>${fill('&#x')}`,
  'one attribute': () => `<p class="${fill('x')}">`,
  'many attributes': () => `<p ${distinctWords(size)}>`,
  'white space': () => `<p>${fill(' \n\t')}x`,
  'empty headings': () => fill('<h1></h1>'),
  'short sections': () => fill('<h2>a</h2>b'),
  'links to the same site': () => Array.from({ length: 100_000 }, (_, at) => `<a href="/${at}">x</a>`).join(''),
};

const sheets: Record<string, () => string> = {
  quotes: () => fill('"'),
  'an unclosed quote': () => `a,b\n"${fill('x')}`,
  commas: () => fill(','),
  'two wide rows': () => `${fill('a,', size / 2)}\n${fill('b,', size / 2)}`,
  'line ends': () => fill('\n'),
  'short rows': () => fill('a,b\n'),
  'one cell': () => `a,b\nc,"${distinctWords(size - 10)}"`,
};

const texts: Record<string, () => string> = {
  'one long paragraph': () => distinctWords(size - 1000),
  'one long word': () => fill('a', size - 1000),
  'one long heading': () => `# ${distinctWords(size - 1000)}`,
  'hash signs': () => `x\n\n${fill('#', size - 1000)}`,
  'headings only': () => `x\n\n${fill('# a\n', size / 2)}`,
  'short sections': () => fill('# a\nb\n\n', size / 2),
  'line separators after a hash sign': () => `x\n\n#${fill('\u2028', size / 3 - 1000)}x`,
  'line ends and spaces': () => `x${fill('\n \t', size / 2)}x`,
  'unordered combining marks': () => `x${fill('\u0301\u0316', size / 4)}`,
  'ligatures that become sentences': () => fill('\ufdfa ', size / 4),
  'Arabic letters': () => fill('\u0648\u0627\u0644', size / 3),
  apostrophes: () => fill("'s", size - 1000),
};

const tested = useTestService({ allowLoopback: true });
let served = '';
const server = useServer((response, { url }) => {
  const type = url.startsWith('/sheet') ? 'text/csv' : 'text/html';
  response.writeHead(200, { 'content-type': type }).end(served);
});
const path = '/agents/agt_palm_and_clay/sources';
const add = async (where: 'api' | 'team', body: object): Promise<string> => {
  const key = await tested.makeKey({ scopes: ['sources:write'] });
  if (where === 'api') {
    const { status, body: source, error } = await tested.call('POST', path, { key, body });
    assert.equal(status, 202, JSON.stringify(error));
    return source.id;
  }
  const { status, body: source } = await tested.callTeam('POST', path, body);
  assert.equal(status, 202);
  return source.id;
};

/** Calls the service every 30 ms until `work` is done, and returns the 95th percentile of its response times. */
const latencyDuring = async (work: Promise<unknown>): Promise<number> => {
  const latencies: Promise<number>[] = [];
  const call = async () => {
    const expectedAt = performance.now();
    const key = await keyOf(latencies.length);
    const { status } = await tested.call('GET', '/agents', { key });
    assert.equal(status, 200);
    return performance.now() - expectedAt;
  };
  let dueAt = performance.now();
  const timer = setInterval(() => {
    // A blocked thread delays the timer. Every call that was due meanwhile waited from its own time on.
    for (; dueAt <= performance.now(); dueAt += 30) {
      const waited = performance.now() - dueAt;
      latencies.push(call().then((latency) => latency + waited));
    }
  }, 30);
  await work.finally(() => clearInterval(timer));
  const sorted = (await Promise.all(latencies)).sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0;
};

/** Measures again while the result is above the limit, up to three times: other programs and the compiler only add to it. */
const expectBelow = async (limit: number, unit: string, measure: () => Promise<number>): Promise<void> => {
  const measured: number[] = [];
  while (measured.length < 3 && !measured.some((value) => value < limit)) measured.push(Math.round(await measure()));
  assert.ok(Math.min(...measured) < limit, `${measured.join(', ')} ${unit}, never below ${Math.round(limit)}`);
};

/** One key for every 50 calls, below the limit of a minute. */
const keys = new Map<number, Promise<string>>();
const keyOf = (call: number): Promise<string> => {
  const at = Math.floor(call / 50);
  if (!keys.has(at)) keys.set(at, tested.makeKey({ scopes: ['agents:read'] }));
  return keys.get(at)!;
};

/** The 95th percentile while an ordinary text of the same size is indexed, in milliseconds. */
let ordinary = 0;

startBefore(async () => {
  const paragraph = 'The studio is open from nine to five, and the kiln is fired on Thursdays. '.repeat(10);
  await add('api', { type: 'text', name: 'ordinary', text: fill(`${paragraph}\n\n`) });
  ordinary = await latencyDuring(tested.service.work());
});

const latencyWhileIndexing = async (id: string): Promise<number> => {
  tested.nextMinute();
  keys.clear();
  const { db } = tested.service;
  const p95 = await latencyDuring(tested.service.work());
  const [source] = await db.delete(sources).where(eq(sources.id, id)).returning();
  assert.ok(['indexed', 'failed'].includes(source!.status), source!.status);
  if (source!.status === 'failed') {
    assert.ok(['too_complex', 'not_csv', 'empty', 'plan_text_limit'].includes(source!.error!), source!.error!);
    const failures = await tested.rows(events, eq(events.type, 'source.failed'));
    assert.equal(failures.filter(({ data }) => data['id'] === id).length, 1);
  }
  assert.deepEqual(await tested.rows(jobs, eq(jobs.kind, 'index_source')), []);
  return p95;
};

const expectQuietIndexing = (where: 'api' | 'team', body: object): Promise<void> =>
  expectBelow(Math.max(100, 3 * ordinary), 'ms for the 95th percentile of another client’s calls', async () =>
    latencyWhileIndexing(await add(where, body)),
  );

describe('a hostile website of 3 MB', () => {
  for (const [what, html] of Object.entries(pages)) {
    it(`does not delay other clients with ${what}`, async () => {
      served = `<html>${html()}`;
      await expectQuietIndexing('team', { type: 'website', url: `${server.url}/page` });
    });
  }
});

describe('a hostile spreadsheet of 3 MB', () => {
  for (const [what, csv] of Object.entries(sheets)) {
    it(`does not delay other clients with ${what}`, async () => {
      served = csv();
      await expectQuietIndexing('api', { type: 'sheet', name: what, url: `${server.url}/sheet` });
    });
  }
});

describe('a hostile text of 3 MB', () => {
  for (const [what, text] of Object.entries(texts)) {
    it(`does not delay other clients with ${what}`, async () => {
      await expectQuietIndexing('api', { type: 'text', name: what, text: text() });
    });
  }

  it('is read in the same way when it is an uploaded file', async () => {
    const html = fill('<b>', 1_200_000) + fill('</i>', 1_200_000);
    await expectQuietIndexing('team', { type: 'file', name: 'page.html', text: html });
  });
});

describe('a hostile message of 8,000 characters', () => {
  for (const [what, text] of Object.entries({ ...texts, ...pages, ...sheets })) {
    it(`does not delay other clients with ${what}`, async () => {
      const content = text().slice(0, 8000);
      await expectBelow(1000, 'ms of the processor', async () => {
        const before = process.cpuUsage();
        const { status } = await tested.chat(content);
        const { user, system } = process.cpuUsage(before);
        assert.ok([200, 422].includes(status), String(status));
        return (user + system) / 1000;
      });
    });
  }
});

it('a long paragraph is split at line ends, sentences, words or anywhere, and loses no character but white space', () => {
  const plain = (text: string) => text.replace(/\s/g, '');
  for (const [what, piece] of Object.entries({
    lines: 'a line of text\n',
    sentences: 'A sentence of text. ',
    words: 'word ',
    letters: 'x',
    emoji: '\u{1f600}',
  })) {
    const parts = splitParagraph(fill(piece, 9000).trim());
    assert.ok(parts.length > 5, what);
    assert.ok(
      parts.every((part) => part.length <= 1500 && !Buffer.from(part).includes('\ufffd')),
      what,
    );
    assert.equal(plain(parts.join('')), plain(fill(piece, 9000)), what);
    if (what === 'sentences') assert.ok(parts.slice(0, -1).every((part) => part.endsWith('.')));
  }
});
