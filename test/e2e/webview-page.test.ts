/** The demo's phone, as an app developer tries it. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Browser, BrowserContextOptions, Frame, FrameLocator, Page } from 'playwright';
import { findings } from '../support/pages/axe.ts';
import { launchBrowser } from '../support/browsers/chromium.ts';
import { expectNoComplaints, newVisitor, startDemo } from '../support/pages/visit.ts';

const labels = {
  en: { allow: 'Allow', friday: 'When are you open on Friday?', field: 'Message' },
  ar: { allow: 'سماح', friday: 'متى تفتحون يوم الجمعة؟', field: 'الرسالة' },
};

type Language = keyof typeof labels;

interface Visit {
  page: Page;
  /** The chat in the phone. */
  chat: FrameLocator;
  /** The types in the log, the latest first, without those that come at any time. */
  logged(): Promise<string[]>;
  ask(question?: string): Promise<void>;
  allow(): Promise<void>;
}

describe('the phone of the demo', () => {
  let browser: Browser;
  let demo: Awaited<ReturnType<typeof startDemo>>;

  before(async () => {
    [browser, demo] = await Promise.all([launchBrowser(), startDemo({ chunkDelay: 20 })]);
  });

  beforeEach(() => demo.moveClock(60_000));

  after(async () => {
    await browser?.close();
    await demo?.close();
  });

  const withPhone = async (
    language: Language,
    options: BrowserContextOptions,
    visit: (visit: Visit) => Promise<void>,
    ...expected: RegExp[]
  ) => {
    const context = await newVisitor(browser, options);
    try {
      const page = await context.newPage();
      await page.goto(`${demo.url}webview.html?lang=${language}`);
      await page.locator('#log [data-type=ready]').nth(1).waitFor();
      const chat = page.frameLocator('#chat');
      await visit({
        page,
        chat,
        logged: () => page.locator('#log li:not([data-type=storage], [data-type=haptic]) .type').allTextContents(),
        async ask(question) {
          if (question !== undefined) await page.locator('#question').fill(question);
          await page.locator('#ask button').click();
        },
        async allow() {
          const button = chat.getByRole('button', { name: labels[language].allow, exact: true });
          await button.waitFor();
          // A prompt that has just appeared under a finger was not read.
          const shownAt = await page.evaluate(() => performance.now());
          await page.waitForFunction((since) => performance.now() - since > 500, shownAt);
          await button.click();
        },
      });
      expectNoComplaints(context, ...expected);
    } finally {
      await context.close();
    }
  };

  const frameOf = (page: Page): Frame => page.frames()[1]!;

  it('runs the tool, and writes down who said what', () =>
    withPhone('en', {}, async ({ page, chat, logged, ask, allow }) => {
      await ask();
      await allow();
      await chat.getByText('shipped').first().waitFor();
      await page.locator('#log [data-type=message]').waitFor();
      const spoken = (await logged()).toReversed();
      assert.deepEqual(spoken, ['ready', 'configure', 'ready', 'send', 'tool', 'toolResult', 'message']);
      const call = page.locator('#log [data-type=tool]');
      assert.equal(await call.locator('pre').isVisible(), false);
      await call.locator('summary').click();
      assert.match(await call.locator('pre').innerText(), /"order_number": "1042"/);
      assert.equal(await page.locator('#log [data-type=storage]').first().isVisible(), false);
      await page.getByLabel('Storage messages too').check();
      assert.equal(await page.locator('#log [data-type=storage]').first().isVisible(), true);
      await page.getByRole('button', { name: 'Clear' }).click();
      assert.equal(await call.count(), 0);
    }));

  it('lets the tool fail', () =>
    withPhone(
      'en',
      {},
      async ({ page, chat, ask, allow }) => {
        await page.getByLabel('The app’s tool get_order_status').selectOption('fail');
        await ask();
        await allow();
        await page.locator('#log [data-type=message]').waitFor();
        assert.equal(await chat.getByText('shipped').count(), 0);
      },
      /a client tool failed/,
    ));

  it('keeps the conversation itself, over a reload, until it forgets', () =>
    withPhone('en', {}, async ({ page, chat, ask }) => {
      await page.getByText('The app keeps nothing.').waitFor();
      await ask(labels.en.friday);
      await page.locator('#log [data-type=message]').waitFor();
      await page.getByText(/The app keeps 1 record/).waitFor();
      await page.getByRole('button', { name: 'Load again' }).click();
      await page.locator('#log [data-type=ready]').nth(3).waitFor();
      await chat.getByText('16:00').first().waitFor();
      assert.deepEqual(await frameOf(page).evaluate(() => indexedDB.databases()), []);
      await page.getByRole('button', { name: 'Forget it' }).click();
      await page.getByText('The app keeps nothing.').waitFor();
      await page.locator('#log [data-type=ready]').nth(5).waitFor();
      await chat.getByRole('textbox', { name: 'Message' }).waitFor();
      assert.equal(await chat.getByText('16:00').count(), 0);
    }));

  it('says who is signed in, and takes it back', () =>
    withPhone('en', {}, async ({ page, ask }) => {
      await page.getByLabel(/Signed in as Aisha/).check();
      await page.locator('#log [data-type=identify]').waitFor();
      const sent = page.waitForRequest((request) => request.url().endsWith('/chat') && request.method() === 'POST');
      await ask(labels.en.friday);
      assert.ok((await sent).postDataJSON().contact.token);
      await page.locator('#log [data-type=message]').waitFor();
      await page.getByLabel(/Signed in as Aisha/).uncheck();
      await page.locator('#log [data-type=logout]').waitFor();
      await page.getByText('The app keeps nothing.').waitFor();
    }));

  it('counts on its own screen what was answered behind it', () =>
    withPhone('en', {}, async ({ page, ask }) => {
      const covered = page.getByText('The app’s own screen.');
      await page.route('**/chat', async (route) => {
        await covered.waitFor();
        await route.continue();
      });
      await ask(labels.en.friday);
      await page.getByRole('button', { name: 'Back button' }).click();
      await page.getByRole('button', { name: 'Ask us 1' }).click();
      await page.locator('#unread').waitFor({ state: 'hidden' });
    }));

  it('shows the app’s sheet for a link, which closes by Escape and by the back button', () =>
    withPhone('en', {}, async ({ page, chat, ask }) => {
      await ask(labels.en.friday);
      await page.locator('#log [data-type=message]').waitFor();
      const link = chat.locator('.message.agent a').last();
      const sheet = page.getByRole('dialog', { name: 'The app opens' });
      await link.click();
      assert.match(await sheet.innerText(), /https:\/\/palmandclay\.example\//);
      await page.keyboard.press('Escape');
      await sheet.waitFor({ state: 'hidden' });
      await link.click();
      await page.getByRole('button', { name: 'Back button' }).click();
      await sheet.waitFor({ state: 'hidden' });
      assert.equal(await page.locator('#chat').isVisible(), true);
    }));

  it('is used by keyboard alone', () =>
    withPhone('en', {}, async ({ page, chat }) => {
      const open = page.getByRole('button', { name: 'Ask us' });
      for (let steps = 0; steps < 6 && !(await open.evaluate((own) => own.matches(':focus'))); steps++) {
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'chat');
      const close = chat.getByRole('button', { name: 'Close chat' });
      for (let steps = 0; steps < 6 && !(await close.evaluate((own) => own.matches(':focus'))); steps++) {
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
      await open.waitFor();
      assert.equal(await open.evaluate((own) => own.matches(':focus')), true);
    }));

  for (const language of ['en', 'ar'] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [360, 1280]) {
        it(`axe finds nothing, and nothing overflows: ${language}, ${colorScheme}, ${width} px`, () =>
          withPhone(language, { colorScheme, viewport: { width, height: 800 } }, async ({ page, chat, ask, allow }) => {
            const look = async (where: string) => {
              assert.deepEqual(await findings(page), [], where);
              assert.deepEqual(await findings(frameOf(page)), [], `${where}, in the phone`);
              assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), where);
            };
            await look('the app’s screen');
            await ask();
            await chat.getByRole('button', { name: labels[language].allow, exact: true }).waitFor();
            await look('the question');
            await allow();
            await page.locator('#log [data-type=message]').waitFor();
            await ask(labels[language].friday);
            await page.locator('#log [data-type=message]').nth(1).waitFor();
            await page.locator('#keyboard').check();
            await page.locator('#log summary').first().click();
            await look('the keyboard and the log');
            const field = (await chat.getByRole('textbox', { name: labels[language].field }).boundingBox())!;
            const keys = (await page.locator('#keys').boundingBox())!;
            assert.ok(field.y + field.height <= keys.y, 'the keyboard covers the field');
            await page.locator('#keyboard').uncheck();
            await chat.locator('.message.agent a').last().click();
            await page.locator('#sheet').waitFor();
            await look('the sheet');
          }));
      }
    }
  }
});
