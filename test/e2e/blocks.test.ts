import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Browser } from 'playwright';
import { findings } from '../support/pages/axe.ts';
import { launchBrowser } from '../support/browsers/chromium.ts';
import { expectNoComplaints, newVisitor, startDemo, Widget } from '../support/pages/visit.ts';

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

describe('blocks, from the service that sends them', () => {
  let browser: Browser;
  let demo: Awaited<ReturnType<typeof startDemo>>;

  before(async () => {
    [browser, demo] = await Promise.all([launchBrowser(), startDemo({ chunkDelay: 1 })]);
  });

  // The service counts a minute's calls by address, and all of these visitors have the same.
  beforeEach(() => demo.moveClock(60_000));

  after(async () => {
    await browser?.close();
    await demo?.close();
  });

  const visit = async (language: 'en' | 'ar', options = {}) => {
    const context = await newVisitor(browser, { timezoneId: 'Asia/Muscat', reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    const widget = new Widget(page);
    await page.goto(`${demo.url}?lang=${language}`);
    await widget.open();
    return { context, page, widget, block: (selector: string) => page.locator(`workspace-chat .block ${selector}`) };
  };

  for (const language of ['en', 'ar'] as const) {
    const say = texts[language];

    it(`a form is filled in, survives a reload, is sent once and stays sent: ${language}`, async () => {
      const { context, page, widget, block } = await visit(language);
      await widget.ask(say.order);
      await page.getByLabel(say.name, { exact: true }).fill(say.person);
      await page.getByLabel(say.phone).fill('+968 9212 3456');
      const stored = await page.evaluate<string>(
        `new Promise((resolve) => { const open = indexedDB.databases().then(async (list) => { let text = ''; for (const { name } of list) { const database = await new Promise((done) => { const request = indexedDB.open(name); request.onsuccess = () => done(request.result); }); for (const store of database.objectStoreNames) text += await new Promise((done) => { const request = database.transaction(store).objectStore(store).getAll(); request.onsuccess = () => done(JSON.stringify(request.result)); }); database.close(); } resolve(text); }); })`,
      );
      assert.ok(stored.includes(say.order) && !stored.includes('9212'), 'what is typed is kept by the tab alone');

      await page.reload();
      await page.getByLabel(say.name, { exact: true }).waitFor();
      assert.equal(await page.getByLabel(say.name, { exact: true }).inputValue(), say.person);
      await block('form button').click();
      assert.ok((await block('.field-problem').count()) > 0);
      assert.equal(await widget.visitorMessages.count(), 1);
      for (const required of await block('[required]').all()) {
        if ((await required.inputValue()) === '') {
          const type = await required.getAttribute('type');
          if ((await required.evaluate((element) => element.tagName)) === 'SELECT')
            await required.selectOption({ index: 1 });
          else await required.fill(type === 'email' ? 'salim@example.com' : type === 'date' ? '2030-01-31' : '12');
        }
      }
      await block('form button').click();
      await block('dl').waitFor();
      await widget.settle();
      assert.equal(await widget.visitorMessages.count(), 2);
      const sent = await widget.visitorMessages.last().innerText();
      assert.ok(sent.includes(`: ${say.person}\n`) && sent.includes('+968 9212 3456'), sent);
      assert.ok((await widget.answers.last().innerText()).includes(say.person), 'the service has read the form');

      await page.reload();
      await block('dl').waitFor();
      assert.ok((await block('dd').first().innerText()).includes(say.person));
      assert.equal(await block('form').count(), 0);
      expectNoComplaints(context);
      await context.close();
    });

    it(`a time is chosen by keyboard alone, and booked: ${language}`, async () => {
      const { context, page, widget, block } = await visit(language, { timezoneId: 'Europe/Paris' });
      await widget.ask(say.book);
      await block('[part=time]').first().waitFor();
      assert.ok((await block('[part=time] small').count()) > 0, 'the place has other clocks');
      await block('[part=time]').first().focus();
      await page.keyboard.press(language === 'ar' ? 'ArrowLeft' : 'ArrowRight');
      await page.keyboard.press('Enter');
      await page.locator('workspace-chat .block-card').waitFor();
      await widget.settle();
      assert.match(await widget.visitorMessages.last().innerText(), /\n\d{4}-\d\d-\d\dT/);
      assert.equal(await block('[role=grid]').count(), 0);
      expectNoComplaints(context);
      await context.close();
    });

    it(`an option asks on: ${language}`, async () => {
      const { context, widget, block } = await visit(language);
      await widget.ask(say.hello);
      await block('[part=option]').first().click();
      await widget.answers.nth(1).waitFor();
      await widget.settle();
      assert.equal(await block('.option:disabled .chosen').count(), 1);
      expectNoComplaints(context);
      await context.close();
    });

    for (const colorScheme of ['light', 'dark'] as const) {
      it(`axe finds nothing with every block on screen: ${language}, ${colorScheme}`, async () => {
        const { context, page, widget, block } = await visit(language, { colorScheme });
        for (const question of [say.hello, say.products, say.book, say.order, 'Palm mug prd_mug'])
          await widget.ask(question);
        await block('form button').click();
        await block('.field-problem').first().waitFor();
        const scroller = page.locator('workspace-chat .scroller');
        for (const top of [1e6, 0]) {
          await scroller.evaluate((element, value) => element.scrollTo(0, value), top);
          assert.deepEqual(await findings(page, 'workspace-chat'), []);
        }
        await block('[part=option]').first().click();
        await widget.settle();
        await block('[part=time]').first().click();
        await widget.settle();
        assert.deepEqual(await findings(page, 'workspace-chat'), [], 'with what was chosen');
        expectNoComplaints(context);
        await context.close();
      });
    }
  }

  it('reflows at 320 px and at 200 % text without losing anything', async () => {
    const { context, page, widget } = await visit('en', { viewport: { width: 320, height: 640 } });
    await page.addStyleTag({ content: 'workspace-chat { --workspace-chat-font-size: 32px }' });
    const { hello, products, book, order } = texts.en;
    for (const question of [hello, products, book, order]) await widget.ask(question);
    const overflow = await page.evaluate(`
      [...document.querySelector('workspace-chat').shadowRoot.querySelectorAll('.block, .block *')]
        .filter((element) => element.getBoundingClientRect().right > 321 || element.getBoundingClientRect().left < -1)
        .map((element) => element.outerHTML.slice(0, 80))`);
    assert.deepEqual(overflow, []);
    await context.close();
  });
});
