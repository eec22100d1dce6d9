/** Formulas and colors of code in the files for a script tag. */
import type { Page } from '@playwright/test';
import { eventText, started } from '../support/fakes/fake-service.ts';
import { strictPolicy } from '../support/pages/strict-policy.ts';
import { expect, it } from './embed-fixtures.ts';

const text = 'Let $x^2$ be, for $5.\n\n```js\nconst a = 1;\n```';

/** Lets the service reply with a text. */
const replyWith = (page: Page, content: string) =>
  page.route(/\/chat$/, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    const done = started({ message: { id: 'msg_1', role: 'assistant', content } });
    const headers = { 'access-control-allow-origin': '*', 'content-type': 'text/event-stream' };
    return route.fulfill({ headers, body: eventText('done', done) });
  });

const extraFiles = (requested: readonly string[]) =>
  requested.flatMap((url) => /(math-view|code-colors)-\w+\.js/.exec(url)?.[1] ?? []).sort();

const ask = (page: Page) => page.evaluate("WorkspaceChat('send', 'Hi')");

it('a reply with a formula and code loads their files under a strict policy', async ({ visit, data, service }) => {
  const pollution = `Array.prototype.remove = function () { throw new Error('listed') };
    window.violations = []; addEventListener('securitypolicyviolation', ({ blockedURI }) => violations.push(blockedURI));`;
  const { page, requested } = await visit(
    `<script nonce="n">${pollution}</script><script async nonce="n" src="/cdn/embed.js" ${data} data-open="true"></script>`,
    {
      headers: { 'content-security-policy': strictPolicy(service.url) },
      prepare: (opened) => replyWith(opened, text),
    },
  );
  await expect(page.locator('workspace-chat textarea')).toBeVisible();
  expect(extraFiles(requested)).toEqual([]);
  await ask(page);
  await expect(page.locator('workspace-chat .md-math math msup')).toBeVisible();
  await expect.poll(() => page.evaluate("CSS.highlights.get('workspace-chat-keyword')?.size")).toBe(1);
  expect(extraFiles(requested)).toEqual(['code-colors', 'math-view']);
  expect(await page.evaluate('violations')).toEqual([]);
});

it('a reply with prices and code without a language loads no further file', async ({ visit, tag }) => {
  const prices = 'From $5 to $10, or 20$ each.\n\n```\nconst a = 1;\n```';
  const { page, requested } = await visit(tag('data-open="true"'), { prepare: (opened) => replyWith(opened, prices) });
  await expect(page.locator('workspace-chat textarea')).toBeVisible();
  await ask(page);
  await expect(page.locator('workspace-chat .agent .text p')).toHaveText('From $5 to $10, or 20$ each.');
  await expect(page.locator('workspace-chat .meta .copy')).toBeVisible();
  expect(extraFiles(requested)).toEqual([]);
});
