import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { eq, sql } from 'drizzle-orm';
import { sha256 } from '../../service/core/ids.ts';
import { queryRows, type Db } from '../../service/db/database.ts';
import { chunks, events, sources, workspaces } from '../../service/db/schema.ts';
import { passageRows } from '../../service/knowledge/chunk-rows.ts';
import { createIndexHandler } from '../../service/knowledge/index-job.ts';
import { publishChunks, stageChunks } from '../../service/knowledge/indexing.ts';
import { createParser } from '../../service/knowledge/parser.ts';
import { readPage } from '../../service/knowledge/website.ts';
import { valuesOf } from '../support/values-of.ts';
import { rejectChanges } from './scenarios.ts';
import { hour, useServer, useTestService } from './support.ts';

const tested = useTestService({ allowLoopback: true });
const path = '/agents/agt_palm_and_clay/sources';
interface Served {
  html?: string;
  type?: string;
  /** Redirects there. */
  location?: string;
}
let pages: Record<string, Served> = {};
const site = useServer((response, { url, headers }) => {
  const { html, type = 'text/html', location } = pages[`${headers.host?.split(':')[0]}${url}`] ?? pages[url] ?? {};
  if (location !== undefined) response.writeHead(301, { location }).end();
  else response.writeHead(html === undefined ? 404 : 200, type === '' ? {} : { 'content-type': type }).end(html);
});
const csv = (html: string): Served => ({ html, type: 'text/csv' });

const add = (body: object, headers = {}) => tested.api('POST', path, body, headers);
const read = async (id: string) => (await tested.api('GET', `${path}/${id}`)).body;
const ask = async (question: string) => (await tested.chat(question)).body;
const emitted = async (type: 'source.synced' | 'source.failed', id: string) =>
  (await tested.rows(events, eq(events.type, type))).filter(({ data }) => data['id'] === id);

it('a text is not indexed when it is deleted before', async () => {
  const again = await add({ type: 'text', name: 'Griffins', text: '# Griffin tours\n\nAt dawn.' });
  await tested.api('DELETE', `${path}/${again.body.id}`);
  await tested.service.work();
  assert.equal((await tested.api('GET', `${path}/${again.body.id}`)).status, 404);
  assert.equal((await tested.api('DELETE', `${path}/${again.body.id}`)).status, 404);
});

it('sizes and hashes of texts are listed without reading the texts', async () => {
  const { db } = tested.service;
  const text = `# Basilisk\n\n${'Do not look. «لا تنظر» 🐍 '.repeat(200)}`.trim();
  const { body } = await add({ type: 'text', name: 'Basilisk', text });
  const file = { type: 'file', name: 'notes.md', text };
  const added = await tested.callTeam('POST', path, file);
  await tested.service.work();
  const textsRead = async (): Promise<number> => {
    await db.execute(sql`select pg_stat_force_next_flush()`);
    const [table] = await queryRows<{ scans: number }>(
      db,
      sql`select idx_scan::int as scans from pg_stat_all_tables
        where relid = (select reltoastrelid from pg_class where oid = 'sources'::regclass)`,
    );
    return table!.scans;
  };
  const before = await textsRead();
  const { data } = (await tested.api('GET', `${path}?limit=100`)).body;
  const overview = (await tested.callTeam('GET', '/overview')).body;
  const one = await read(body.id);
  assert.equal(await textsRead(), before);
  const expected = [Buffer.byteLength(text), Array.from(text).length, sha256(text)];
  const inOverview = overview.agents.flatMap((each: any) => each.sources);
  for (const listed of [data, inOverview, [one]].map((list) => list.find(({ id }: any) => id === body.id)))
    assert.deepEqual([listed.size_bytes, listed.extracted_chars, listed.content_sha256], expected);
  const notes = data.find(({ id }: any) => id === added.body.id);
  assert.deepEqual([notes.size_bytes, notes.content_sha256], [Buffer.byteLength(text), null]);
  assert.equal((await tested.api('GET', `${path}/${body.id}/content`)).body.content_sha256, sha256(text));
  assert.notEqual(await textsRead(), before);
  for (const { id } of [body, added.body]) await tested.api('DELETE', `${path}/${id}`);
});

describe('the sources API, for a spreadsheet', () => {
  it('follows the redirect of a spreadsheet, reads its rows, and adds it once', async () => {
    const sheet = 'Yeti,Height,Food\r\n"Yeti ""Bob""",3 m,"Rice, tea"\r\nYeti Ann,2 m,\r\n';
    pages = { '/moved': { location: '/sheet.csv' }, '/sheet.csv': csv(sheet) };
    const url = `${site.url}/moved`;
    const { status, body } = await add({ type: 'sheet', url });
    assert.deepEqual([status, body.status, body.name], [202, 'uploaded', '127.0.0.1']);
    await tested.service.work();
    assert.deepEqual([(await read(body.id)).status, (await read(body.id)).chunk_count], ['indexed', 2]);
    assert.match((await ask('What is the food of Yeti Bob?')).message!.content, /Rice, tea/);
    const { error } = await add({ type: 'sheet', url });
    assert.deepEqual([error.code, error.details], ['conflict', 'sheet_exists']);
  });

  it('does not exceed the limit of the plan when two spreadsheets are read at the same time', async () => {
    const row = (name: string) => `${name},${'word '.repeat(1000)}\n`;
    const sheet = csv(`Name,Text\n${Array.from({ length: 24 }, (_, at) => row(`Large ${at}`)).join('')}`);
    pages = { '/one': sheet, '/two': sheet };
    const added = [
      await add({ type: 'sheet', url: `${site.url}/one` }),
      await add({ type: 'sheet', url: `${site.url}/two` }),
    ];
    await tested.set(workspaces, { plan: 'starter' });
    await tested.service.work();
    await tested.set(workspaces, { plan: 'business' });
    const states = await Promise.all(added.map(async ({ body }) => (await read(body.id)).status));
    assert.deepEqual(new Set(states), new Set(['failed', 'indexed']));
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
  pages = { '/states': csv('Name,Color\nSphinx,Gold\n') };
  await add({ type: 'sheet', name: 'States', url: `${site.url}/states` });
  await tested.service.work();
  const found: any = await db.execute(sql`select status from seen_states order by at`);
  const states = found.rows
    .map(({ status }: any) => status)
    .filter((each: any, at: number, all: any[]) => each !== all[at - 1]);
  assert.deepEqual(states, ['uploaded', 'crawling', 'parsing', 'chunking', 'embedding', 'indexed']);
  await db.execute(sql`drop trigger see_state on sources`);
});

describe('the chunks of a source that two attempts index at the same time', () => {
  const text = '# Owls\n\nAt night.\n\n# Larks\n\nIn the morning.';
  const rows = passageRows('agt_palm_and_clay', text);
  let db: Db;
  beforeEach(() => {
    ({ db } = tested.service);
  });

  const addOwls = async () => {
    const { body } = await add({ type: 'text', name: 'Owls', text });
    return async () => (await tested.rows(sources, eq(sources.id, body.id)))[0]!;
  };
  const found = async ({ id, indexedRevision }: typeof sources.$inferSelect) =>
    db.$count(chunks, sql`${chunks.sourceId} = ${id} and ${chunks.revision} = ${indexedRevision}`);
  /** Runs `work` before a transaction, once it returns true. */
  const before = (work: () => Promise<boolean>): Db => {
    let isDone = false;
    const transaction: Db['transaction'] = async (...args) => {
      isDone ||= await work();
      return db.transaction(...args);
    };
    return new Proxy(db, { get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name)) });
  };

  it('are complete when the next version is stored while those of the version before are deleted', async () => {
    const read = await addOwls();
    await tested.service.work();
    const first = await read();
    await tested.api('PATCH', `${path}/${first.id}`, { text });
    let staged = '';
    const stageNext = async () => {
      const current = await read();
      if (current.indexedRevision === first.indexedRevision) return false;
      staged = await stageChunks(db, current, rows);
      return true;
    };
    const closing = new AbortController().signal;
    const parser = createParser();
    const options = { now: tested.service.now, parser, allowLoopback: true, closing, embedder: undefined };
    await createIndexHandler(before(stageNext), options)({ source: first.id, version: 2 });
    await parser.close();
    const published = await publishChunks(db, await read(), staged, rows.length);
    assert.deepEqual([await found(await read()), published.chunkCount], [2, 2]);
  });

  it('are not replaced by those of an attempt whose chunks the later attempt has deleted', async () => {
    const read = await addOwls();
    const source = await read();
    const late = await stageChunks(db, source, rows);
    await tested.service.work();
    await assert.rejects(publishChunks(db, source, late, rows.length), /Another attempt/);
    assert.equal(await found(await read()), 2);
  });

  it('are not deleted by an attempt that began before they were published', async () => {
    const read = await addOwls();
    const publish = async () => {
      await tested.service.work();
      return true;
    };
    await stageChunks(before(publish), await read(), rows);
    assert.equal(await found(await read()), 2);
  });
});

describe('the question import API', () => {
  const item = {
    question: 'Do you groom phoenixes?',
    answer: 'Yes, **on Sundays**.',
    alternatives: ['Phoenix grooming?'],
  };
  const send = (body: object, headers = {}) => tested.api('POST', `${path}/questions`, body, headers);

  it('rejects the same question in two items, also among their other wordings', async () => {
    const one = {
      question: 'Do you sell wyverns?',
      answer: 'No.',
      alternatives: ['Wyverns for sale?', 'wyverns for sale'],
    };
    for (const [field, other] of [
      ['question', { question: 'wyverns for SALE', answer: 'x' }],
      ['alternatives.1', { question: 'Other', answer: 'x', alternatives: ['More', 'Do you sell wyverns'] }],
      ['alternatives.0', { question: 'Other', answer: 'x', alternatives: ['Wyverns, for sale!'] }],
    ] as const) {
      const { status, error } = await send({ name: 'Wyverns', items: [one, other] });
      assert.equal(status, 422, field);
      assert.deepEqual(
        (error.details as any[]).map((detail) => [detail.field, detail.code]),
        [[`items.1.${field}`, 'duplicate']],
      );
    }
    assert.equal((await send({ name: 'Wyverns', items: [one] })).status, 201);
  });

  it('returns 502 for a failed import and keeps the previous batch', async () => {
    const { db } = tested.service;
    assert.equal((await send({ name: 'Birds', items: [item] })).status, 201);
    await db.execute(sql`alter table chunks add constraint no_wyverns check (title <> 'Wyverns?')`);
    const { status, error } = await send({ name: 'Birds', items: [{ question: 'Wyverns?', answer: 'None.' }] });
    assert.deepEqual([status, error.code], [502, 'internal_error']);
    assert.match((await ask('Do you groom phoenixes?')).message!.content, /Sundays/);
    assert.equal((await send({ name: 'Birds', items: [item] })).status, 201);
  });

  it('returns 201 for an import whose replaced chunks cannot be deleted, because it is stored', async () => {
    const { db } = tested.service;
    assert.equal((await send({ name: 'Lizards', items: [item] })).status, 201);
    const accept = await rejectChanges(db, 'delete on chunks');
    const { status, body } = await send({ name: 'Lizards', items: [{ question: 'Basilisks?', answer: 'Two.' }] });
    await accept();
    assert.deepEqual([status, body.status, body.version], [201, 'indexed', 2]);
    assert.match((await ask('Basilisks?')).message!.content, /Two/);
  });
});

/** Another origin of the same server. */
const otherOrigin = () => site.url.replace('127.0.0.1', 'localhost');

/** Adds a website with these pages as a source and returns its indexed text, or its error. */
const textOf = async (served: Record<string, Served>, url = `${site.url}/`): Promise<string> => {
  pages = served;
  const { body } = await tested.callTeam('POST', path, { type: 'website', url });
  assert.deepEqual([body.type, body.status, body.source_url], ['website', 'uploaded', url]);
  await tested.service.work();
  const [stored] = await tested.rows(sources, eq(sources.id, body.id));
  await tested.api('DELETE', `${path}/${body.id}`);
  return stored!.error ?? stored!.content!;
};

describe('a website as a source', () => {
  it('is read at the origin that its address redirects to', async () => {
    const text = await textOf(
      {
        'localhost/': { location: `${site.url}/` },
        '127.0.0.1/': { html: `<h1>Home</h1><a href="${site.url}/prices">Prices</a>` },
        '127.0.0.1/prices': { html: '<h1>Prices of rides</h1>' },
      },
      `${otherOrigin()}/`,
    );
    assert.match(text, /Home[^]*Prices of rides/);
  });

  it('resolves its links against the address that it redirects to', async () => {
    const served = {
      '/en': { location: '/en/#top' },
      '/en/': { html: '<h1>Home</h1><a href="prices">Prices</a><a href="/en">Home</a><a href="/en/">Home</a>' },
      '/en/prices': { html: '<h1>Prices of rides</h1>' },
    };
    assert.match(await textOf(served, `${site.url}/en`), /Home[^]*Prices of rides/);
    assert.deepEqual(valuesOf(site.requests, 'url'), ['/en', '/en/', '/en/prices']);
  });

  it('leaves out pages that are missing or redirect to another origin, and reads a page once', async () => {
    const text = await textOf({
      '/': {
        html: '<h1>Home</h1><a href="/partner">A</a><a href="/old">B</a><a href="/new">C</a><a href="/back">D</a><a href="/gone">E</a>',
      },
      '/partner': { location: `${otherOrigin()}/other` },
      'localhost/other': { html: '<h1>Another company</h1>' },
      '/old': { location: '/new' },
      // A page without a heading has its title.
      '/new': { html: '<title>News</title><p>We have moved.</p>' },
      '/back': { location: '/' },
    });
    assert.deepEqual(text.match(/^# .*/gm), ['# Home', '# News']);
  });

  it('fails with the status of its first page, and is rejected at a private address', async () => {
    assert.equal(await textOf({}, `${site.url}/gone`), 'http_status_404');
    const refused = await tested.callTeam('POST', path, { type: 'website', url: 'https://10.0.0.1/' });
    assert.deepEqual([refused.status, refused.body.error.details[0].code], [422, 'url_private']);
  });

  for (const [what, page, isRead] of [
    ['HTML', { html: '<p>Penguins</p>', type: 'Text/HTML; charset=utf-8' }, true],
    ['XHTML', { html: '<?xml version="1.0"?><html><p>Penguins</p></html>', type: 'application/xhtml+xml' }, true],
    [
      'a feed',
      { html: '<rss><item><description>Penguins</description></item></rss>', type: 'application/rss+xml' },
      false,
    ],
    ['a sitemap', { html: '<urlset><loc>Penguins</loc></urlset>', type: 'text/xml' }, false],
    ['HTML without a type', { html: '\n<!DOCTYPE html><p>Penguins</p>', type: '' }, true],
    ['a feed without a type', { html: '<?xml version="1.0"?><rss><p>Penguins</p></rss>', type: '' }, false],
  ] as const) {
    it(`${isRead ? 'contains' : 'does not contain'} a linked page that is ${what}`, async () => {
      const text = await textOf({ '/': { html: '<h1>Home</h1><a href="/linked">x</a>' }, '/linked': page });
      assert.equal(text.includes('Penguins'), isRead, text);
    });
  }
});

describe('a page', () => {
  const textIn = (html: string) => readPage(html, 'https://a.example/').text;

  it('keeps the text of a form around it, without its controls', () => {
    const controls = '<select><option>Muscat</select><textarea>Note</textarea><button>Send</button>';
    const html = `<form><h1>Hours</h1><p>From 8 to 2.</p>${controls}<button type="button">Closed on?</button></form>`;
    assert.equal(textIn(html), '# Hours\n\nFrom 8 to 2.\n\nClosed on?');
    assert.equal(textIn('<button>When do you open?</button><p>At 8.</p>'), 'When do you open?\n\nAt 8.');
  });

  it('keeps the header and the footer of an article, and leaves out those of the site', () => {
    const article = '<article><header><h1>Refunds</h1></header><p>In 14 days.</p><footer>Since May.</footer></article>';
    const html = `<header><h2>Shop</h2></header>${article}<footer>Imprint</footer>`;
    assert.equal(textIn(html), '# Refunds\n\nIn 14 days.\n\nSince May.');
    assert.equal(textIn('<header>Shop</header><p>One</p><footer>Imprint<p>x</footer>'), 'One');
  });

  it('has the title of the document, not that of a drawing', () => {
    assert.equal(readPage('<title>Home</title><svg><title>Logo</title></svg>', 'https://a.example/').title, 'Home');
  });

  it('resolves its links against its base element', () => {
    const linksOf = (html: string) => readPage(html, 'https://a.example/b/c').links;
    const links = '<a href="d">x</a><a href="#e">x</a>';
    assert.deepEqual(linksOf(`<base href="/docs/">${links}`), ['https://a.example/docs/d', 'https://a.example/docs/']);
    assert.deepEqual(linksOf(`<base target="_blank"><base href="/docs/"><base href="/x/">${links}`), [
      'https://a.example/docs/d',
      'https://a.example/docs/',
    ]);
    assert.deepEqual(linksOf(`<base href="https://cdn.example/">${links}`), []);
    assert.deepEqual(linksOf(`<base href="https://">${links}`), ['https://a.example/b/d']);
  });

  it('ignores scripts, menus and links to other sites', () => {
    const menu = '<nav><a href="/gone">Menu</a></nav>';
    const anchors = '<a href="/kiln#top">Kiln</a> <a href="https://other.example/">x</a>';
    const content = `<h1>Glaze</h1><p>We mix <b>ash glaze</b> here.</p>${anchors}<script>alert(1)</script>`;
    const page = `<title>Home</title><main>${menu}${content}</main>`;
    const { text, links } = readPage(page, 'https://a.example/');
    assert.equal(text, '# Glaze\n\nWe mix ash glaze here.\n\nKiln x');
    assert.deepEqual(links, ['https://a.example/gone', 'https://a.example/kiln']);
    assert.equal(readPage('<ul><li>One<li>Two &lt;b&gt;</ul>', 'https://a.example/').text, '- One\n- Two <b>');
  });
});
