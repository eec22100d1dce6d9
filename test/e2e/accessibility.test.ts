import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Browser } from 'playwright';
import type { WorkspaceChatElement } from '../../src/element.ts';
import { findings } from '../support/pages/axe.ts';
import { launchBrowser } from '../support/browsers/chromium.ts';
import { expectNoComplaints, newVisitor, startDemo, Widget } from '../support/pages/visit.ts';

describe('for everybody', () => {
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

  for (const language of ['en', 'ar'] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [360, 1280]) {
        it(`axe finds nothing: ${language}, ${colorScheme}, ${width} px`, async () => {
          const context = await newVisitor(browser, {
            colorScheme,
            viewport: { width, height: 760 },
            reducedMotion: 'reduce',
          });
          const page = await context.newPage();
          const widget = new Widget(page);
          await page.goto(`${demo.url}?lang=${language}`);
          await widget.launcher.waitFor();
          assert.deepEqual(await findings(page, 'workspace-chat'), [], 'closed');
          await widget.open();
          assert.deepEqual(await findings(page, 'workspace-chat'), [], 'open and empty');
          await widget.ask(language === 'ar' ? 'متى تفتحون؟' : 'When are you open?');
          await widget.ask(language === 'ar' ? 'ما عاصمة فرنسا؟' : 'What is the capital of France?');
          await widget.ask(language === 'ar' ? 'أريد التحدث مع موظف' : 'Can I talk to a real person?');
          assert.deepEqual(await findings(page, 'workspace-chat'), [], 'with answers, a refusal and a handoff');
          await page.route('**/chat', (route) => route.abort());
          await widget.input.fill('?');
          await widget.input.press('Enter');
          await page.locator('workspace-chat .meta strong').waitFor();
          assert.deepEqual(await findings(page, 'workspace-chat'), [], 'with a message that is not confirmed');
          expectNoComplaints(context, /ERR_FAILED/);
          await context.close();
        });
      }
    }
  }

  it('sounds for what comes unseen, when the visitor wants it, in this tab alone', async () => {
    const context = await newVisitor(browser);
    await context.addInitScript(`
      window.tones = 0;
      const { start } = OscillatorNode.prototype;
      OscillatorNode.prototype.start = function (at) { tones++; start.call(this, at); };`);
    const page = await context.newPage();
    const widget = new Widget(page);
    const sound = page.getByRole('menuitemcheckbox', { name: 'Sound for new messages' });
    const menu = page.getByRole('button', { name: 'Menu' });
    const tones = () => page.evaluate<number>('tones');
    const write = async (id: string) => {
      const { conversationId, unread } = await widget.state();
      await page.locator('workspace-chat').evaluate((chat: WorkspaceChatElement, message) => chat.receive(message), {
        id,
        role: 'assistant',
        content: 'Are you there?',
        conversation_id: conversationId,
      });
      await page.waitForFunction((count) => document.querySelector('workspace-chat')!.unreadCount > count, unread);
    };
    await page.goto(demo.url);
    await widget.open();
    await widget.ask('Hello');
    await widget.launcher.click();
    await write('msg_a');
    await widget.open();
    await menu.click();
    assert.equal(await sound.getAttribute('aria-checked'), 'false');
    assert.equal(await tones(), 0);
    await sound.click();
    assert.equal(await tones(), 2, 'switched on, it is heard');
    await widget.launcher.click();
    await write('msg_b');
    await page.waitForFunction('tones === 4');
    await page.reload();
    await widget.open();
    assert.equal(await tones(), 0, 'what was there before is no news');
    await menu.click();
    assert.equal(await sound.getAttribute('aria-checked'), 'true');
    await sound.press('Enter');
    await menu.click();
    assert.equal(await sound.getAttribute('aria-checked'), 'false');
    assert.equal(await tones(), 0);
    expectNoComplaints(context);
    await context.close();
  });

  it('works by keyboard alone: opens, asks, reads, closes, and gives the focus back', async () => {
    const context = await newVisitor(browser);
    const page = await context.newPage();
    const widget = new Widget(page);
    await page.goto(demo.url);
    await widget.launcher.focus();
    await page.keyboard.press('Enter');
    await widget.input.waitFor();
    const focused = () =>
      page.evaluate(
        `document.activeElement?.shadowRoot?.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName`,
      );
    await page.waitForFunction(
      `document.querySelector('workspace-chat').shadowRoot.activeElement?.getAttribute('aria-label') === 'Message'`,
    );
    await page.keyboard.type('When are you open?');
    await page.keyboard.press('Enter');
    await widget.answers.first().waitFor();
    await widget.settle();
    assert.equal(await focused(), 'Message', 'the focus stays where the visitor writes');
    const passed: unknown[] = [];
    while (passed.length < 10 && passed.at(-1) !== 'Conversation') {
      await page.keyboard.press('Shift+Tab');
      passed.push(await focused());
    }
    assert.equal(passed.at(-1), 'Conversation', 'the transcript can be scrolled by keys');
    await page.keyboard.press('Escape');
    await widget.input.waitFor({ state: 'hidden' });
    assert.equal(await focused(), 'Open chat');
    expectNoComplaints(context);
    await context.close();
  });

  it('takes the focus nowhere when it is open at load', async () => {
    const context = await newVisitor(browser);
    const page = await context.newPage();
    const widget = new Widget(page);
    await page.goto(demo.url);
    await widget.open();
    await page.reload();
    await widget.input.waitFor();
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'BODY');
    await context.close();
  });

  it('announces each answer once, when it is whole', async () => {
    const context = await newVisitor(browser);
    const page = await context.newPage();
    const widget = new Widget(page);
    await page.goto(demo.url);
    await widget.open();
    await page.evaluate(`
      window.announced = [];
      const region = document.querySelector('workspace-chat').shadowRoot.querySelector('[role=status]');
      new MutationObserver(() => announced.push(region.textContent)).observe(region, { childList: true, characterData: true, subtree: true });
    `);
    const answer = await widget.ask('Can I pay with Apple Pay?');
    const announced = await page.evaluate<string[]>('announced');
    assert.equal(announced.length, 1);
    assert.ok(announced[0]!.includes(answer.trim().slice(0, 20)));
    await context.close();
  });

  it('reflows at 320 px and at 200 % text without losing anything', async () => {
    const context = await newVisitor(browser, { viewport: { width: 320, height: 640 } });
    const page = await context.newPage();
    const widget = new Widget(page);
    await page.goto(demo.url);
    await page.addStyleTag({ content: 'workspace-chat { --workspace-chat-font-size: 32px }' });
    await widget.open();
    await widget.ask('When are you open?');
    const overflow = await page.evaluate(`
      [...document.querySelector('workspace-chat').shadowRoot.querySelectorAll('.panel, .header, .scroller, .composer, .message, .bubble')]
        .filter((element) => element.scrollWidth > element.clientWidth + 1).map((element) => element.className)`);
    assert.deepEqual(overflow, []);
    for (const control of [
      widget.input,
      page.getByRole('button', { name: 'Send' }),
      widget.dialog.getByRole('button', { name: 'Close chat' }),
    ]) {
      const box = (await control.boundingBox())!;
      assert.ok(box.x >= 0 && box.x + box.width <= 320 && box.y >= 0 && box.y + box.height <= 640, JSON.stringify(box));
    }
    await context.close();
  });
});
