import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createIndexHandler } from '../../service/knowledge/index-job.ts';
import { createParser, ParserDelayedError, threadTime, type Parser } from '../../service/knowledge/parser.ts';
import { sources } from '../../service/db/schema.ts';
import { useTestService } from './support.ts';

const parsers: Parser[] = [];
after(() => Promise.all(parsers.map((parser) => parser.close())));
const parserWith = (...options: Parameters<typeof createParser>) => {
  const parser = createParser(...options);
  parsers.push(parser);
  return parser;
};
/** Takes more than a tenth of a second to parse. */
const longText = 'A sentence about clay and kilns. '.repeat(60_000);
const parse = (parser: Parser) => parser.run('passages', { agentId: 'agt', text: longText });

/** A host that gives the thread this share of its time. */
const busyHost = (share: number) => () => performance.now() * share;

describe('the limit of a parser', () => {
  it('is that of the processor time, so that a busy host does not fail a simple text', async () => {
    const rows = await parse(parserWith({ processorMs: 40 }, busyHost(0)));
    assert.ok(rows.length > 100);
  });

  it('ends a text that uses the processor time, and the next text is parsed', async () => {
    const parser = parserWith({ processorMs: 40 }, busyHost(1));
    await assert.rejects(parse(parser), { reason: 'too_complex' });
    assert.equal(
      (await parser.run('page', { file: '<title>Next</title>', address: 'https://a.example/' }))!.title,
      'Next',
    );
  });

  it('says nothing about the text when the thread gets no time', async () => {
    await assert.rejects(parse(parserWith({ clockMs: 40 }, busyHost(0))), ParserDelayedError);
  });

  it('is that of the clock where the system does not tell the processor time', async () => {
    await assert.rejects(parse(parserWith({ processorMs: 40 }, () => undefined)), { reason: 'too_complex' });
  });

  it('counts the thread of the worker, not that of the caller', { skip: process.platform !== 'linux' }, async () => {
    const times: number[] = [];
    await parse(
      parserWith({}, (thread) => {
        times.push(threadTime(thread)!);
        return times.at(-1);
      }),
    );
    assert.ok(times.length > 1 && times.at(-1)! > times[0]!, String(times));
  });
});

const tested = useTestService();

it('a source that the parser has no time for keeps its state, so that its job is tried again', async () => {
  const { secretKey: key, agentId, service } = tested;
  const body = { type: 'text', name: 'Busy', text: longText.slice(0, 100_000) };
  const path = `/agents/${agentId}/sources`;
  const { body: source } = await tested.call('POST', path, { key, body });
  const parser = { run: () => Promise.reject(new ParserDelayedError()), close: async () => {} } as Parser;
  const index = createIndexHandler(service.db, {
    now: service.now,
    parser,
    allowLoopback: false,
    closing: new AbortController().signal,
    embedder: undefined,
  });
  await assert.rejects(index({ source: source.id, version: 1 }), ParserDelayedError);
  const stored = (await service.db.select().from(sources)).find(({ id }) => id === source.id);
  assert.equal(stored?.status, 'chunking');
  await service.work();
  assert.equal((await tested.call('GET', `${path}/${source.id}`, { key })).body.status, 'indexed');
});
