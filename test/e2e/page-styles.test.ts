import type { Page } from '@playwright/test';
import { expect, it } from './embed-fixtures.ts';

const surface = (page: Page) => page.locator('workspace-chat .panel');
const white = 'rgb(255, 255, 255)';
/** A dark color with a hue of the accent. */
const black = /^(?!rgb\(255, 255, 255\)$)/;

it.describe('the color scheme of a chat', () => {
  const none = { root: '', meta: null, own: null };
  const schemes = [
    ['the page’s light one', { ...none, root: 'only light' }, 'dark', white],
    ['the page’s dark one', { ...none, root: 'dark' }, 'light', black],
    ['the system’s dark one where the page has both', { ...none, root: 'light dark' }, 'dark', black],
    ['the system’s light one where the page has both', { ...none, root: 'light dark' }, 'light', white],
    ['the page’s dark one from its meta tag', { ...none, meta: 'dark' }, 'light', black],
    ['the system’s dark one where the page has none', none, 'dark', black],
    ['the system’s light one where the page has none', none, 'light', white],
    ['its own light one', { ...none, root: 'dark', own: 'light' }, 'dark', white],
    ['its own dark one', { ...none, root: 'light', own: 'dark' }, 'light', black],
  ] as const;

  it('is that of the page, of the system, or its own, inline and floating', async ({ visit, element }) => {
    const { page } = await visit(element('mode="inline"'));
    for (const [name, given, system, color] of schemes) {
      await page.emulateMedia({ colorScheme: system });
      // Adds a new element, which looks for a scheme of the page when it is placed.
      await page.evaluate(({ root, meta, own }) => {
        document.querySelector('meta[name=color-scheme]')?.remove();
        if (meta) document.head.insertAdjacentHTML('beforeend', `<meta name="color-scheme" content="${meta}">`);
        document.documentElement.style.colorScheme = root;
        const former = document.querySelector('workspace-chat')!;
        const chat = former.cloneNode() as typeof former;
        chat.removeAttribute('open');
        chat.setAttribute('mode', 'inline');
        if (own) chat.setAttribute('color-scheme', own);
        else chat.removeAttribute('color-scheme');
        former.replaceWith(chat);
      }, given);
      await expect(surface(page), name).toHaveCSS('background-color', color);
      await page.locator('workspace-chat').evaluate((chat) => Object.assign(chat, { mode: 'floating', open: true }));
      await expect(page.locator('workspace-chat .panel:popover-open'), name).toHaveCSS('background-color', color);
    }
  });

  it('follows a page that changes its own', async ({ visit, element }) => {
    const { page } = await visit(`<style>:root { color-scheme: light }</style>${element('mode="inline"')}`);
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
    it(`leaves out the launcher and the panel at ${viewport.width} px`, async ({ visit, element }) => {
      const { widget } = await visit(`<main>Article</main>${element()}`, { context: { viewport } });
      await widget.open();
      await widget.page.emulateMedia({ media: 'print' });
      await expect(surface(widget.page)).toBeHidden();
      await expect(widget.page.locator('workspace-chat .launcher')).toBeHidden();
    });

  it('prints an inline chat whole, in light colors', async ({ visit, element }) => {
    const attributes = 'mode="inline" color-scheme="dark" style="block-size: auto"';
    const { widget } = await visit(element(attributes), { context: { colorScheme: 'dark' } });
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
    await expect(widget.page.locator('workspace-chat button:visible')).toHaveCount(0);
  });
});

it('a recipe moves the launcher above a notice at the end of the page, and back', async ({ visit, element }) => {
  const { page } = await visit(`<style>
      .cookie-notice { position: fixed; inset: auto 0 0; block-size: 120px; background: silver }
      :root:has(.cookie-notice:not([hidden])) workspace-chat { --workspace-chat-offset-y: 136px }
    </style><div class="cookie-notice">Cookies <button onclick="this.parentElement.hidden = true">Accept</button></div>
    <style>[hidden] { display: none }</style>${element()}`);
  const bottom = () =>
    page.locator('workspace-chat .launcher').evaluate((box) => innerHeight - box.getBoundingClientRect().bottom);
  await page.locator('workspace-chat .launcher').waitFor();
  expect(await bottom()).toBeGreaterThanOrEqual(120);
  await page.getByRole('button', { name: 'Accept' }).click();
  expect(await bottom()).toBeLessThan(40);
});

it('a finger that moves from the edge of the composer does not scroll the page behind the chat', async ({
  visit,
  element,
}) => {
  const context = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };
  const { page, widget } = await visit(`<main style="block-size: 300vh"></main>${element()}`, { context });
  await widget.open();
  const { x, y } = (await page.locator('workspace-chat .field').boundingBox())!;
  const session = await page.context().newCDPSession(page);
  const nextFrame = () => page.evaluate('new Promise(requestAnimationFrame)');
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: x + 90, y: y + 2 }] });
  for (let moved = 20; moved <= 300; moved += 20) {
    const touchPoints = [{ x: x + 90, y: y + 2 - moved }];
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints });
    await nextFrame();
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await nextFrame();
  expect(await page.evaluate('scrollY')).toBe(0);
});
