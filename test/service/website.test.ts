import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { sources } from '../../service/db/schema.ts';
import { readPage } from '../../service/knowledge/website.ts';
import { useServer, useTestService } from './support.ts';
import { valuesOf } from '../support/values-of.ts';

const tested = useTestService({ allowLoopback: true });
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
/** Another origin of the same server. */
const otherOrigin = () => site.url.replace('127.0.0.1', 'localhost');

/** Adds a website with these pages as a source and returns its indexed text, or its error. */
const textOf = async (served: Record<string, Served>, url = `${site.url}/`): Promise<string> => {
  pages = served;
  const path = `/agents/${tested.agentId}/sources`;
  const { body } = await tested.callTeam('POST', path, { type: 'website', url });
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

  it('leaves out pages that redirect to another origin, and reads a page once', async () => {
    const text = await textOf({
      '/': {
        html: '<h1>Home</h1><a href="/partner">A</a><a href="/old">B</a><a href="/new">C</a><a href="/back">D</a>',
      },
      '/partner': { location: `${otherOrigin()}/other` },
      'localhost/other': { html: '<h1>Another company</h1>' },
      '/old': { location: '/new' },
      '/new': { html: '<h1>News</h1>' },
      '/back': { location: '/' },
    });
    assert.deepEqual(text.match(/^# .*/gm), ['# Home', '# News']);
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
});
