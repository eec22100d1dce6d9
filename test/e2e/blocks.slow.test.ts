import type { BrowserContextOptions, Locator, Page } from '@playwright/test';
import { expect, it as base } from '../support/fixtures.ts';
import { poll } from '../support/poll.ts';
import { Widget } from '../support/pages/visit.ts';

const texts = {
  en: {
    hello: 'Hello',
    order: 'I would like to place a custom order',
    book: 'I want to book a class',
    products: 'Do you sell coffee cups?',
    name: 'Name',
    phone: 'Phone',
    email: /^Email/,
    what: /^What/,
    person: 'Salim Al Harthy',
  },
  ar: {
    hello: 'مرحبا',
    order: 'أريد طلبًا خاصًا',
    book: 'أريد حجز حصة',
    products: 'هل تبيعون فناجين القهوة؟',
    name: 'الاسم',
    phone: /^(رقم )?الهاتف/,
    email: /^البريد/,
    what: /^ما/,
    person: 'سالم الحارثي',
  },
};

interface Chat {
  page: Page;
  widget: Widget;
  /** Finds an element inside the blocks. */
  block(selector: string): Locator;
}

const it = base.extend<{
  openChat(language: 'en' | 'ar', options?: BrowserContextOptions, css?: string): Promise<Chat>;
}>({
  openChat: async ({ newPage, demo }, use) => {
    await use(async (language, options, css = '') => {
      const page = await newPage({ timezoneId: 'Asia/Muscat', reducedMotion: 'reduce', ...options });
      const widget = new Widget(page);
      await page.goto(`${demo.url}?lang=${language}`);
      if (css) await page.addStyleTag({ content: css });
      await widget.open();
      return { page, widget, block: (selector) => page.locator(`workspace-chat .block ${selector}`) };
    });
  },
});

it.describe('blocks that the service sends', () => {
  for (const language of ['en', 'ar'] as const) {
    const say = texts[language];

    it(`a form keeps its values over a reload, is submitted once and stays submitted: ${language}`, async ({
      openChat,
    }) => {
      const { page, widget, block } = await openChat(language);
      await widget.ask(say.order);
      await page.getByLabel(say.name, { exact: true }).fill(say.person);
      await page.getByLabel(say.phone).fill('+968 9212 3456');
      const readDatabases = () =>
        page.evaluate<string>(
          `new Promise((resolve) => { const open = indexedDB.databases().then(async (list) => { let text = ''; for (const { name } of list) { const database = await new Promise((done) => { const request = indexedDB.open(name); request.onsuccess = () => done(request.result); }); for (const store of database.objectStoreNames) text += await new Promise((done) => { const request = database.transaction(store).objectStore(store).getAll(); request.onsuccess = () => done(JSON.stringify(request.result)); }); database.close(); } resolve(text); }); })`,
        );
      await poll(readDatabases).toContain(say.order);
      expect(await readDatabases(), 'what is typed is kept by the tab alone').not.toContain('9212');

      await page.reload();
      await expect(page.getByLabel(say.name, { exact: true })).toBeVisible();
      await expect(page.getByLabel(say.name, { exact: true })).toHaveValue(say.person);
      await block('form button').click();
      expect((await block('.field-problem').count()) > 0).toBeTruthy();
      await expect(widget.visitorMessages).toHaveCount(1);
      for (const required of await block('[required]').all()) {
        if ((await required.inputValue()) === '') {
          const type = await required.getAttribute('type');
          if ((await required.evaluate((element) => element.tagName)) === 'SELECT')
            await required.selectOption({ index: 1 });
          else await required.fill(type === 'email' ? 'salim@example.com' : type === 'date' ? '2030-01-31' : '12');
        }
      }
      await block('form button').click();
      await expect(block('dl')).toBeVisible();
      await widget.waitUntilIdle();
      await expect(widget.visitorMessages).toHaveCount(2);
      const sent = await widget.visitorMessages.last().innerText();
      expect(sent.includes(`: ${say.person}\n`) && sent.includes('+968 9212 3456'), sent).toBeTruthy();
      expect(
        (await widget.replies.last().innerText()).includes(say.person),
        'the service has read the form',
      ).toBeTruthy();

      await page.reload();
      await expect(block('dl')).toBeVisible();
      expect((await block('dd').first().innerText()).includes(say.person)).toBeTruthy();
      await expect(block('form')).toHaveCount(0);
    });

    it(`a time can be chosen and booked with the keyboard alone: ${language}`, async ({ openChat }) => {
      const { page, widget, block } = await openChat(language, { timezoneId: 'Europe/Paris' });
      await widget.ask(say.book);
      await expect(block('[part=time]').first()).toBeVisible();
      expect((await block('[part=time] small').count()) > 0, 'the place has other clocks').toBeTruthy();
      await block('[part=time]').first().focus();
      await page.keyboard.press(language === 'ar' ? 'ArrowLeft' : 'ArrowRight');
      await page.keyboard.press('Enter');
      await expect(page.locator('workspace-chat .block-card')).toBeVisible();
      await widget.waitUntilIdle();
      // The service has booked the time that was sent. The transcript shows it in words.
      await expect(widget.visitorMessages.last()).toHaveText(/2\d{3}/);
      await expect(widget.visitorMessages.last()).not.toHaveText(/\d{4}-\d\d-\d\d/);
      await expect(block('[role=grid]')).toHaveCount(0);
    });
  }

  it('blocks fit into 320 px at 200 % text size', async ({ openChat }) => {
    const css = 'workspace-chat { --workspace-chat-font-size: 32px }';
    const { page, widget } = await openChat('en', { viewport: { width: 320, height: 640 } }, css);
    const { hello, products, book, order } = texts.en;
    for (const question of [hello, products, book, order]) await widget.ask(question);
    const overflow = await page.evaluate(`
      [...document.querySelector('workspace-chat').shadowRoot.querySelectorAll('.block, .block *')]
        .filter((element) => element.getBoundingClientRect().right > 321 || element.getBoundingClientRect().left < -1)
        .map((element) => element.outerHTML.slice(0, 80))`);
    expect(overflow).toEqual([]);
  });
});
