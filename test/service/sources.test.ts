import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { eq, sql } from 'drizzle-orm';
import { events, sources } from '../../service/db/schema.ts';
import { sha256 } from '../../service/core/ids.ts';
import { parseCsv } from '../../service/knowledge/spreadsheet.ts';
import { hour, useServer, useTestService } from './support.ts';

const tested = useTestService({ allowLoopback: true });
const key = tested.secretKey;
const path = '/agents/agt_palm_and_clay/sources';
let sheet = '';
const server = useServer((request, response) => {
  if (request.url === '/moved') response.writeHead(302, { location: '/sheet.csv' }).end();
  else response.writeHead(sheet === '' ? 404 : 200, { 'content-type': 'text/csv' }).end(sheet);
});
const sheetUrl = (name: string) => `${server.url}/${name}`;
beforeEach(() => tested.nextMinute());

const add = (body: object, headers = {}) => tested.call('POST', path, { key, body, headers });
const read = async (id: string) => (await tested.call('GET', `${path}/${id}`, { key })).body;
const ask = async (question: string) => (await tested.chat(question)).body;
const emitted = async (type: 'source.synced' | 'source.failed', id: string) =>
  (await tested.service.db.select().from(events).where(eq(events.type, type))).filter(({ data }) => data['id'] === id);

describe('the sources API, for a text', () => {
  it('returns 202, indexes a text in the background, and uses it in replies', async () => {
    const text = '\n# Unicorn rides\n\nUnicorn rides take place on **Mondays**.  \n';
    const { status, headers, body } = await add({ type: 'text', name: 'Rides', text });
    assert.deepEqual([status, body.status, body.version, body.extracted_chars], [202, 'uploaded', 1, 0]);
    assert.equal(headers.get('location'), `/api/v2${path}/${body.id}`);
    assert.equal((await ask('When are the unicorn rides?')).refused, true);
    await tested.service.work();
    const indexed = await read(body.id);
    assert.deepEqual([indexed.status, indexed.chunk_count], ['indexed', 1]);
    assert.equal(indexed.extracted_chars, text.trim().length);
    assert.equal(indexed.size_bytes, Buffer.byteLength(text.trim()));
    assert.equal(indexed.content_sha256, sha256(text.trim()));
    assert.equal((await emitted('source.synced', body.id))[0]!.data['status'], 'indexed');
    const response = await ask('When are the unicorn rides?');
    assert.match(response.message!.content, /Mondays/);
    assert.equal(response.sources[0]!.file_id, body.id);
    const { body: content } = await tested.call('GET', `${path}/${body.id}/content`, { key });
    const { id } = body;
    const expected = { id, name: 'Rides', type: 'text', text: text.trim(), version: 1 };
    assert.deepEqual(content, { ...expected, content_sha256: indexed.content_sha256 });
    const { body: listed } = await tested.call('GET', `${path}?limit=1`, { key });
    assert.deepEqual(listed.data, [indexed]);
  });

  it('uses the previous version of a text until the new one is indexed', async () => {
    const { body } = await add({
      type: 'text',
      name: 'Dragons',
      text: '# Dragon feeding\n\nDragons are fed at **noon**.',
    });
    const change = { text: '# Dragon feeding\n\nDragons are fed at **midnight**.', name: 'Dragons, anew' };
    const early = await tested.call('PATCH', `${path}/${body.id}`, { key, body: change });
    assert.deepEqual([early.status, early.error.code, early.error.details], [409, 'conflict', 'indexing']);
    await tested.service.work();
    const saved = await tested.call('PATCH', `${path}/${body.id}`, { key, body: change });
    assert.deepEqual([saved.status, saved.body.version, saved.body.status], [202, 2, 'uploaded']);
    assert.match((await ask('When are the dragons fed?')).message!.content, /noon/);
    await tested.service.work();
    assert.match((await ask('When are the dragons fed?')).message!.content, /midnight/);
    assert.equal((await read(body.id)).name, 'Dragons, anew');
  });

  it('stops using a deleted text, even while it is being indexed', async () => {
    const text = '# Griffin tours\n\nGriffin tours start at **dawn**.';
    const { body } = await add({ type: 'text', name: 'Griffins', text });
    await tested.service.work();
    assert.match((await ask('When do griffin tours start?')).message!.content, /dawn/);
    assert.equal((await tested.call('DELETE', `${path}/${body.id}`, { key })).status, 204);
    assert.equal((await ask('When do griffin tours start?')).refused, true);
    const again = await add({ type: 'text', name: 'Griffins', text });
    await tested.call('DELETE', `${path}/${again.body.id}`, { key });
    await tested.service.work();
    assert.equal((await tested.call('GET', `${path}/${again.body.id}`, { key })).status, 404);
    assert.equal((await tested.call('DELETE', `${path}/${again.body.id}`, { key })).status, 404);
  });

  it('adds a text once when the call is repeated with its Idempotency-Key', async () => {
    const body = { type: 'text', name: 'Once', text: 'Only once.' };
    const first = await add(body, { 'idempotency-key': 'source' });
    const second = await add(body, { 'idempotency-key': 'source' });
    assert.deepEqual([second.status, second.body.id], [202, first.body.id]);
    assert.equal(second.headers.get('location'), first.headers.get('location'));
  });

  it('accepts a text body of up to 3 MB', async () => {
    const text = `# Long\n\n${'a long line of text\n'.repeat(100_000)}`;
    assert.equal((await add({ type: 'text', name: 'Long', text })).status, 202);
    assert.equal((await add({ type: 'text', name: 'Long', text: text.repeat(2) })).error.code, 'body_too_large');
    await tested.service.db.delete(sources).where(eq(sources.name, 'Long'));
  });

  it('returns the limit and the used characters when the plan’s text limit is exceeded', async () => {
    const { db } = tested.service;
    const full = { name: 'Full', agentId: tested.agentId, type: 'file' as const, status: 'indexed' as const };
    const at = new Date(tested.clock.now);
    await db
      .insert(sources)
      .values({ ...full, id: 'src_full', extractedChars: 9_999_000, createdAt: at, updatedAt: at });
    const { status, error } = await add({ type: 'text', name: 'More', text: 'x'.repeat(1001) });
    assert.deepEqual([status, error.code, error.limit_chars], [413, 'plan_text_limit', 10_000_000]);
    assert.ok(error.used_chars! >= 9_999_000);
    await db.delete(sources).where(eq(sources.id, 'src_full'));
  });

  for (const [what, body] of [
    ['no name', { type: 'text', text: 'x' }],
    ['no text', { type: 'text', name: 'x', text: '  ' }],
    ['a type that only the dashboard may add', { type: 'website', name: 'x', url: 'https://example.com' }],
  ] as const) {
    it(`rejects a source with ${what}`, async () => assert.equal((await add(body)).status, 422));
  }

  it('neither returns nor replaces the content of other types of source', async () => {
    const other = `${path}/src_questions_en`;
    assert.equal((await tested.call('GET', `${other}/content`, { key })).error.code, 'not_found');
    assert.equal((await tested.call('PATCH', other, { key, body: { text: 'x' } })).status, 404);
    assert.equal((await read('src_questions_en')).content_sha256, null);
  });

  it('requires sources:write and an agent that the key can reach', async () => {
    const reader = await tested.makeKey({ scopes: ['agents:read'] });
    const body = { type: 'text', name: 'x', text: 'x' };
    assert.equal((await tested.call('POST', path, { key: reader, body })).error.required_scope, 'sources:write');
    const limited = await tested.makeKey({
      scopes: ['sources:write', 'agents:read'],
      agentIds: [tested.service.demo.pausedAgentId],
    });
    assert.equal((await tested.call('POST', path, { key: limited, body })).status, 404);
    assert.equal((await tested.call('GET', `${path}/src_shop_en`, { key: limited })).status, 404);
  });
});

describe('the sources API, for a spreadsheet', () => {
  it('follows the redirect of a spreadsheet, reads its rows, and adds it once', async () => {
    sheet = 'Yeti,Height,Food\r\n"Yeti ""Bob""",3 m,"Rice, tea"\r\nYeti Ann,2 m,\r\n';
    const { status, body } = await add({ type: 'sheet', url: sheetUrl('moved') });
    assert.deepEqual([status, body.status, body.name], [202, 'uploaded', '127.0.0.1']);
    await tested.service.work();
    assert.deepEqual([(await read(body.id)).status, (await read(body.id)).chunk_count], ['indexed', 2]);
    assert.match((await ask('What is the food of Yeti Bob?')).message!.content, /Rice, tea/);
    const { error } = await add({ type: 'sheet', url: sheetUrl('moved') });
    assert.deepEqual([error.code, error.details], ['conflict', 'sheet_exists']);
  });

  for (const [what, content, error] of [
    ['does not exist', '', 'http_status_404'],
    ['is a web page', '<html></html>', 'not_csv'],
    ['has no rows', 'a,b\n', 'empty'],
  ] as const) {
    it(`reports why a spreadsheet failed that ${what}`, async () => {
      sheet = content;
      const { body } = await add({ type: 'sheet', name: what, url: sheetUrl(error) });
      await tested.service.work();
      const { status, error: said } = await read(body.id);
      assert.deepEqual([status, said], ['failed', error]);
      assert.equal((await emitted('source.failed', body.id)).length, 1);
    });
  }

  it('rejects a spreadsheet at a private address', async () => {
    const { error } = await add({ type: 'sheet', url: 'https://192.168.1.1/x.csv' });
    assert.equal((error.details as any[])[0].code, 'url_private');
  });

  it('parses a spreadsheet by the rules of CSV', () => {
    assert.deepEqual(parseCsv('a,"b\nc",\n\n"d ""e"""\r\n,f'), [['a', 'b\nc', ''], ['d "e"'], ['', 'f']]);
  });
});

it('marks a source as failed when its indexing is given up after the last attempt', async () => {
  const { db } = tested.service;
  await db.execute(sql`alter table chunks add constraint no_krakens check (title <> 'Krakens')`);
  const { body } = await add({ type: 'text', name: 'Krakens', text: '# Krakens\n\nNone.' });
  for (let attempt = 0; attempt < 5; attempt++) {
    assert.notEqual((await read(body.id)).status, 'failed');
    await tested.service.work();
    tested.clock.now += 2 * hour;
  }
  const { status, error } = await read(body.id);
  assert.deepEqual([status, error], ['failed', 'indexing_failed']);
  assert.equal((await emitted('source.failed', body.id)).length, 1);
  await tested.service.work();
  assert.equal((await emitted('source.failed', body.id)).length, 1);
  await db.execute(sql`alter table chunks drop constraint no_krakens`);
});

it('shows each status of the indexing', async () => {
  const { db } = tested.service;
  await db.execute(sql`create table seen_states (status text, at bigint generated always as identity)`);
  await db.execute(sql`create function see_state() returns trigger language plpgsql as
    $$ begin insert into seen_states (status) values (new.status); return new; end $$`);
  await db.execute(sql`create trigger see_state after insert or update of status on sources
    for each row execute function see_state()`);
  sheet = 'Name,Color\nSphinx,Gold\n';
  await add({ type: 'sheet', name: 'States', url: sheetUrl('states') });
  await tested.service.work();
  const found: any = await db.execute(sql`select status from seen_states order by at`);
  const states = found.rows
    .map(({ status }: any) => status)
    .filter((each: any, at: number, all: any[]) => each !== all[at - 1]);
  assert.deepEqual(states, ['uploaded', 'crawling', 'parsing', 'chunking', 'embedding', 'indexed']);
  await db.execute(sql`drop trigger see_state on sources`);
});
