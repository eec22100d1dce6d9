import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { render } from '@lit-labs/ssr';
import { collectResult } from '@lit-labs/ssr/lib/render-result.js';
import { html } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { renderLauncher } from '../../../src/entries/ssr.ts';
import '../../../src/index.ts';

describe('Rendering on a server', () => {
  it('@lit-labs/ssr renders the tag with its attributes and without a shadow root or a warning', async () => {
    const warn = mock.method(console, 'warn', () => {});
    const agentId = 'agt_1';
    const page = html`<workspace-chat agent-id=${agentId} ?open=${true} .strings=${{}}
      ><b slot="footer">Hi</b></workspace-chat
    >`;
    const rendered = await collectResult(render(page));
    assert.equal(
      rendered
        .replaceAll(/<!--.*?-->/g, '')
        .replaceAll(/\s+/g, ' ')
        .replaceAll(' >', '>'),
      '<workspace-chat agent-id="agt_1" open><b slot="footer">Hi</b></workspace-chat>',
    );
    assert.equal(warn.mock.callCount(), 0);
    mock.restoreAll();
  });

  it('@lit-labs/ssr renders the launcher inside the tag', async () => {
    const launcher = renderLauncher({ nonce: 'n' });
    const rendered = await collectResult(render(html`<workspace-chat>${unsafeHTML(launcher)}</workspace-chat>`));
    assert(rendered.includes(launcher));
  });

  it('the launcher is a fixed button in declarative shadow DOM, with a nonce for its style', () => {
    const launcher = renderLauncher({ nonce: 'abc', placement: 'start', colorScheme: 'dark' });
    assert.match(launcher, /<template shadowrootmode="open"><style nonce="abc">[^<]*position: fixed/);
    assert.match(launcher, /placement="start" color-scheme="dark"/);
    assert.match(launcher, /<div class="root launcher-box" dir="ltr" lang="en">/);
    assert.match(launcher, /aria-label="Open chat"/);
    assert.doesNotMatch(launcher, /<script|launcher-box"[^>]* popover/);
  });

  it('the styles of the launcher define each private property that they use', () => {
    const launcher = renderLauncher({ nonce: 'n' });
    const namesOf = (pattern: RegExp) => [...launcher.matchAll(pattern)].map(([, name]) => name!);
    const defined = new Set(namesOf(/(--_[\w-]+):/g));
    assert.deepEqual(
      namesOf(/var\((--_[\w-]+)\)/g).filter((name) => !defined.has(name)),
      [],
    );
  });

  it('the launcher is in Arabic for an Arabic locale', () => {
    assert.match(renderLauncher({ nonce: 'n', locale: 'ar-OM' }), /dir="rtl" lang="ar">.*aria-label="فتح المحادثة"/);
  });

  it('a label is shown beside the icon and is the accessible name', () => {
    const launcher = renderLauncher({ nonce: 'n', launcherLabel: 'Help & advice' });
    assert.match(launcher, /aria-label="Help &amp; advice".*<\/svg><bdi>Help &amp; advice<\/bdi><\/button>/);
  });

  it('nothing is rendered without a nonce, except on a page without a policy', () => {
    assert.equal(renderLauncher({ nonce: undefined }), '');
    assert.equal(renderLauncher({ nonce: '' }), '');
    assert.match(renderLauncher({ nonce: null }), /<style>/);
  });

  it('texts of the site are escaped', () => {
    const launcher = renderLauncher({ nonce: '"><script>', label: '"Help" <b>' });
    assert.match(launcher, /nonce="&quot;&gt;&lt;script&gt;"/);
    assert.match(launcher, /aria-label="&quot;Help&quot; &lt;b&gt;"/);
  });
});
