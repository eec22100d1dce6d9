/** The demo page that shows the chat in an app's webview, and logs the messages between them. */
import type { BrowserContextOptions, Frame, FrameLocator, Page } from '@playwright/test';
import { accessibilityViolations, inBothWidths } from '../support/pages/axe.ts';
import { expect, it as base } from '../support/fixtures.ts';
import { poll } from '../support/poll.ts';

const labels = {
  en: { allow: 'Allow', friday: 'When are you open on Friday?', field: 'Message' },
  ar: { allow: 'سماح', friday: 'متى تفتحون يوم الجمعة؟', field: 'الرسالة' },
};

type Language = keyof typeof labels;

interface Visit {
  page: Page;
  /** The chat in the phone. */
  chat: FrameLocator;
  /** Returns the types in the log, newest first, without those that come at any time. */
  logged(): Promise<string[]>;
  ask(question?: string): Promise<void>;
  allow(): Promise<void>;
}

const it = base.extend<{
  openPhone(language: Language, options?: BrowserContextOptions, ...allowed: RegExp[]): Promise<Visit>;
}>({
  openPhone: async ({ newPage, demo, allowedErrors }, use) => {
    await use(async (language, options, ...allowed) => {
      allowedErrors.push(...allowed);
      const page = await newPage(options);
      await page.goto(`${demo.url}webview.html?lang=${language}`);
      await expect(page.locator('#log [data-type=ready]').nth(1)).toBeVisible();
      const chat = page.frameLocator('#chat');
      return {
        page,
        chat,
        logged: () => page.locator('#log li:not([data-type=storage], [data-type=haptic]) .type').allTextContents(),
        async ask(question) {
          if (question !== undefined) await page.locator('#question').fill(question);
          await page.locator('#ask button').click();
        },
        async allow() {
          const button = chat.getByRole('button', { name: labels[language].allow, exact: true });
          await expect(button).toBeVisible();
          // The prompt ignores clicks in its first moments.
          await expect(async () => {
            if (await button.isVisible()) await button.click({ timeout: 1_000 });
            await expect(button).toBeHidden({ timeout: 500 });
          }).toPass();
        },
      };
    });
  },
});

it.use({ chunkDelay: 20 });

it.describe('the phone of the demo', () => {
  const frameOf = (page: Page): Frame => page.frames()[1]!;

  it('the demo’s phone runs the tool and logs the messages in order', async ({ openPhone }) => {
    const { page, chat, logged, ask, allow } = await openPhone('en');
    await ask();
    await allow();
    await expect(chat.getByText('shipped').first()).toBeVisible();
    await expect(page.locator('#log [data-type=message]')).toBeVisible();
    const spoken = (await logged()).toReversed();
    expect(spoken).toEqual(['ready', 'configure', 'ready', 'send', 'tool', 'toolResult', 'message']);
    const call = page.locator('#log [data-type=tool]');
    await expect(call.locator('pre')).toBeHidden();
    await call.locator('summary').click();
    await expect(call.locator('pre')).toHaveText(/"order_number": "1042"/);
    await expect(page.locator('#log [data-type=storage]').first()).toBeHidden();
    await page.getByLabel('Storage messages too').check();
    await expect(page.locator('#log [data-type=storage]').first()).toBeVisible();
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect(call).toHaveCount(0);
  });

  it('the demo’s phone can let the tool fail', async ({ openPhone }) => {
    const { page, chat, ask, allow } = await openPhone('en', {}, /a client tool failed/);
    await page.getByLabel('The app’s tool get_order_status').selectOption('fail');
    await ask();
    await allow();
    await expect(page.locator('#log [data-type=message]')).toBeVisible();
    await expect(chat.getByText('shipped')).toHaveCount(0);
  });

  it('the demo’s app stores the conversation over a reload, until the stored conversation is deleted', async ({
    openPhone,
  }) => {
    const { page, chat, ask } = await openPhone('en');
    await expect(page.getByText('The app keeps no conversation.')).toBeVisible();
    await ask(labels.en.friday);
    await expect(page.locator('#log [data-type=message]')).toBeVisible();
    await expect(page.getByText(/The app keeps 1 conversation/)).toBeVisible();
    await page.getByRole('button', { name: 'Load again' }).click();
    await expect(page.locator('#log [data-type=ready]').nth(3)).toBeVisible();
    await expect(chat.getByText('16:00').first()).toBeVisible();
    await poll(() => frameOf(page).evaluate(() => indexedDB.databases())).toEqual([]);
    await page.getByRole('button', { name: 'Forget it' }).click();
    await expect(page.getByText('The app keeps no conversation.')).toBeVisible();
    await expect(page.locator('#log [data-type=ready]').nth(5)).toBeVisible();
    await expect(chat.getByRole('textbox', { name: 'Message' })).toBeVisible();
    await expect(chat.getByText('16:00')).toHaveCount(0);
  });

  it('the demo’s app identifies the visitor and logs out again', async ({ openPhone }) => {
    const { page, ask } = await openPhone('en');
    await page.getByLabel(/Signed in as Aisha/).check();
    await expect(page.locator('#log [data-type=identify]')).toBeVisible();
    const sent = page.waitForRequest((request) => request.url().endsWith('/chat') && request.method() === 'POST');
    await ask(labels.en.friday);
    expect((await sent).postDataJSON().contact.token).toBeTruthy();
    await expect(page.locator('#log [data-type=message]')).toBeVisible();
    await page.getByLabel(/Signed in as Aisha/).uncheck();
    await expect(page.locator('#log [data-type=logout]')).toBeVisible();
    await expect(page.getByText('The app keeps no conversation.')).toBeVisible();
  });

  it('the demo’s app shows the number of unread replies on its own screen', async ({ openPhone }) => {
    const { page, ask } = await openPhone('en');
    const covered = page.getByText('The app’s own screen.');
    await page.route('**/chat', async (route) => {
      await expect(covered).toBeVisible();
      await route.continue();
    });
    await ask(labels.en.friday);
    await page.getByRole('button', { name: 'Back button' }).click();
    await page.getByRole('button', { name: 'Ask us 1' }).click();
    await expect(page.locator('#unread')).toBeHidden();
  });

  it('a link opens the app’s sheet, which Escape and the back button close', async ({ openPhone }) => {
    const { page, chat, ask } = await openPhone('en');
    await ask(labels.en.friday);
    await expect(page.locator('#log [data-type=message]')).toBeVisible();
    const link = chat.locator('.message.agent a').last();
    const sheet = page.getByRole('dialog', { name: 'The app opens' });
    await link.click();
    await expect(sheet).toHaveText(/https:\/\/palmandclay\.example\//);
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
    await link.click();
    await page.getByRole('button', { name: 'Back button' }).click();
    await expect(sheet).toBeHidden();
    await expect(page.locator('#chat')).toBeVisible();
  });

  it('the demo’s phone can be used with the keyboard alone', async ({ openPhone }) => {
    const { page, chat } = await openPhone('en');
    const open = page.getByRole('button', { name: 'Ask us' });
    for (let steps = 0; steps < 6 && !(await open.evaluate((own) => own.matches(':focus'))); steps++) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await poll(() => page.evaluate(() => document.activeElement?.id)).toBe('chat');
    const close = chat.getByRole('button', { name: 'Close chat' });
    for (let steps = 0; steps < 6 && !(await close.evaluate((own) => own.matches(':focus'))); steps++) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await expect(open).toBeVisible();
    await poll(() => open.evaluate((own) => own.matches(':focus'))).toBe(true);
  });

  for (const language of ['en', 'ar'] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`the demo’s phone has no axe violation and no overflow on a wide and a narrow screen: ${language}, ${colorScheme}`, async ({
        openPhone,
      }) => {
        const { page, chat, ask, allow } = await openPhone(language, { colorScheme });
        const look = (state: string) =>
          inBothWidths(page, async (width) => {
            const where = `${state}: ${width}`;
            expect(await accessibilityViolations(page), where).toEqual([]);
            expect(await accessibilityViolations(frameOf(page)), `${where}, in the phone`).toEqual([]);
            expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), where).toBeTruthy();
          });
        await look('the app’s screen');
        await ask();
        await expect(chat.getByRole('button', { name: labels[language].allow, exact: true })).toBeVisible();
        await look('the question');
        await allow();
        await expect(page.locator('#log [data-type=message]')).toBeVisible();
        await ask(labels[language].friday);
        await expect(page.locator('#log [data-type=message]').nth(1)).toBeVisible();
        await page.locator('#keyboard').check();
        await page.locator('#log summary').first().click();
        await look('the keyboard and the log');
        await inBothWidths(page, async (width) => {
          const field = (await chat.getByRole('textbox', { name: labels[language].field }).boundingBox())!;
          const keys = (await page.locator('#keys').boundingBox())!;
          expect(field.y + field.height <= keys.y, `the keyboard covers the field: ${width}`).toBeTruthy();
        });
        await page.locator('#keyboard').uncheck();
        await chat.locator('.message.agent a').last().click();
        await expect(page.locator('#sheet')).toBeVisible();
        await look('the sheet');
      });
    }
  }
});
