import type { Page } from '@playwright/test';
import { expect, it as base } from '../support/fixtures.ts';
import { Widget } from '../support/pages/visit.ts';

interface VisitOptions {
  /** The attributes of the element. */
  attributes?: string;
  colorScheme?: 'light' | 'dark';
  viewport?: { width: number; height: number };
}

const it = base.extend<{ visit(html: string, options?: VisitOptions): Promise<Widget> }>({
  visit: async ({ newPage, serve, cdnBuild, service }, use) => {
    const { baseUrl, publishableKey, agentId } = service.settings;
    await use(async (html, { attributes = '', ...options } = {}) => {
      const element = `<workspace-chat base-url="${baseUrl}" publishable-key="${publishableKey}" agent-id="${agentId}" ${attributes}></workspace-chat>`;
      const script = '<script type="module" src="/cdn/workspace-chat.js"></script>';
      const pages = { '/': `<!doctype html><html lang="en"><title>Page</title>${html}${script}${element}` };
      const server = await serve(pages, { '/cdn/': cdnBuild.folder });
      const page = await newPage(options);
      await page.goto(server.url);
      return new Widget(page);
    });
  },
});

const surface = (page: Page) => page.locator('workspace-chat .panel');
const white = 'rgb(255, 255, 255)';
/** A dark color with a hue of the accent. */
const black = /^(?!rgb\(255, 255, 255\)$)/;

it.describe('the color scheme of a chat', () => {
  for (const [scheme, html, system, attributes, color] of [
    ['the page’s light one', '<style>:root { color-scheme: only light }</style>', 'dark', '', white],
    ['the page’s dark one', '<style>:root { color-scheme: dark }</style>', 'light', '', black],
    [
      'the system’s dark one where the page has both',
      '<style>:root { color-scheme: light dark }</style>',
      'dark',
      '',
      black,
    ],
    [
      'the system’s light one where the page has both',
      '<style>:root { color-scheme: light dark }</style>',
      'light',
      '',
      white,
    ],
    ['the page’s dark one from its meta tag', '<meta name="color-scheme" content="dark">', 'light', '', black],
    ['the system’s dark one where the page has none', '', 'dark', '', black],
    ['the system’s light one where the page has none', '', 'light', '', white],
    ['its own light one', '<style>:root { color-scheme: dark }</style>', 'dark', 'color-scheme="light"', white],
    ['its own dark one', '<style>:root { color-scheme: light }</style>', 'light', 'color-scheme="dark"', black],
  ] as const)
    it(`is ${scheme}, on a ${system} system, inline and floating`, async ({ visit }) => {
      const { page } = await visit(html, { attributes: `${attributes} mode="inline"`, colorScheme: system });
      await expect(surface(page)).toHaveCSS('background-color', color);
      await page.locator('workspace-chat').evaluate((element) => element.setAttribute('mode', 'floating'));
      await page.locator('workspace-chat .launcher').click();
      await expect(surface(page)).toHaveCSS('background-color', color);
    });

  it('follows a page that changes its own', async ({ visit }) => {
    const { page } = await visit('<style>:root { color-scheme: light }</style>', { attributes: 'mode="inline"' });
    await expect(surface(page)).toHaveCSS('background-color', white);
    await page.evaluate(`document.documentElement.style.colorScheme = 'dark'`);
    await expect(surface(page)).toHaveCSS('background-color', black);
  });
});

it.describe('printing a page', () => {
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 360, height: 640 },
  ])
    it(`leaves out the launcher and the panel at ${viewport.width} px`, async ({ visit }) => {
      const widget = await visit('<main>Article</main>', { viewport });
      await widget.open();
      await widget.page.emulateMedia({ media: 'print' });
      await expect(surface(widget.page)).toBeHidden();
      await expect(widget.page.locator('workspace-chat .launcher')).toBeHidden();
    });

  it('prints an inline chat whole, in light colors', async ({ visit }) => {
    const attributes = 'mode="inline" color-scheme="dark" style="block-size: auto"';
    const widget = await visit('', { attributes, colorScheme: 'dark' });
    for (const question of ['When are you open?', 'Do you ship to Dubai?', 'What does a vase cost?'])
      await widget.ask(question);
    await widget.page.emulateMedia({ media: 'print' });
    const sizes = await widget.page.locator('workspace-chat .scroller').evaluate((scroller) => ({
      isCut: scroller.scrollHeight > scroller.clientHeight + 1,
      isLong: scroller.clientHeight > 300,
      panel: scroller.closest('.panel')!.clientHeight >= scroller.clientHeight,
    }));
    expect(sizes).toEqual({ isCut: false, isLong: true, panel: true });
    await expect(surface(widget.page)).toHaveCSS('background-color', white);
    await expect(widget.page.locator('workspace-chat .composer')).toBeHidden();
  });
});

it('typing is not handled by the shortcuts of the page', async ({ visit }) => {
  const widget = await visit(`<script>
    window.pressed = [];
    for (const type of ['keydown', 'keypress', 'keyup'])
      document.addEventListener(type, (event) => { pressed.push(event.key); if (type !== 'keyup') event.preventDefault(); });
  </script>`);
  await widget.open();
  await widget.input.pressSequentially('yes/just? so');
  await expect(widget.input).toHaveValue('yes/just? so');
  expect(await widget.page.evaluate('pressed')).toEqual([]);
});

it('a recipe moves the launcher above a notice at the end of the page, and back', async ({ visit }) => {
  const { page } = await visit(`<style>
      .cookie-notice { position: fixed; inset: auto 0 0; block-size: 120px; background: silver }
      :root:has(.cookie-notice:not([hidden])) workspace-chat { --workspace-chat-offset-y: 136px }
    </style><div class="cookie-notice">Cookies <button onclick="this.parentElement.hidden = true">Accept</button></div>
    <style>[hidden] { display: none }</style>`);
  const bottom = () =>
    page.locator('workspace-chat .launcher').evaluate((box) => innerHeight - box.getBoundingClientRect().bottom);
  await page.locator('workspace-chat .launcher').waitFor();
  expect(await bottom()).toBeGreaterThanOrEqual(120);
  await page.getByRole('button', { name: 'Accept' }).click();
  expect(await bottom()).toBeLessThan(40);
});
