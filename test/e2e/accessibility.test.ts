import type { WorkspaceChatElement } from '../../src/element.ts';
import { accessibilityViolations, inBothWidths } from '../support/pages/axe.ts';
import { poll } from '../support/poll.ts';
import { expect, inLanguage, it } from './embed-fixtures.ts';

it.describe('accessibility', () => {
  for (const language of ['en', 'ar'] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const title = `axe finds no violation in the chat on a wide and a narrow screen: ${language}, ${colorScheme}`;
      it(title, { tag: language === 'ar' && colorScheme === 'dark' ? [] : '@slow' }, async ({ visit, tag }) => {
        const { page, widget } = await visit(inLanguage(language) + tag(), {
          allowedErrors: [/ERR_FAILED/],
          context: { colorScheme, reducedMotion: 'reduce' },
        });
        const look = (state: string) =>
          inBothWidths(page, async (width) => {
            expect(await accessibilityViolations(page, 'workspace-chat'), `${state}: ${width}`).toEqual([]);
          });
        await expect(widget.launcher).toBeVisible();
        await look('closed');
        await widget.open();
        await look('open and empty');
        await widget.ask(language === 'ar' ? 'متى تفتحون؟' : 'When are you open?');
        await widget.ask(language === 'ar' ? 'ما عاصمة فرنسا؟' : 'What is the capital of France?');
        await widget.ask(language === 'ar' ? 'أريد التحدث مع موظف' : 'Can I talk to a real person?');
        await look('with replies, a refusal and a handoff');
        await page.route('**/chat', (route) => route.abort());
        await widget.input.fill('?');
        await widget.input.press('Enter');
        await expect(page.locator('workspace-chat .meta strong')).toBeVisible();
        await look('with a message that is not confirmed');
      });
    }
  }

  it('an unseen message plays a sound only in a tab where the visitor has enabled it', async ({ visit, tag }) => {
    const countTones = `
      window.tones = 0;
      const { start } = OscillatorNode.prototype;
      OscillatorNode.prototype.start = function (at) { tones++; start.call(this, at); };`;
    const { page, widget } = await visit(tag(), { prepare: (opened) => opened.addInitScript(countTones) });
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
    await widget.open();
    await widget.ask('Hello');
    await widget.launcher.click();
    await write('msg_a');
    await widget.open();
    await menu.click();
    await expect(sound).toHaveAttribute('aria-checked', 'false');
    expect(await tones()).toBe(0);
    await sound.click();
    expect(await tones(), 'the sound plays when it is switched on').toBe(2);
    await widget.launcher.click();
    await write('msg_b');
    await page.waitForFunction('tones === 4');
    await page.reload();
    await widget.open();
    expect(await tones(), 'earlier messages make no sound').toBe(0);
    await menu.click();
    await expect(sound).toHaveAttribute('aria-checked', 'true');
    await sound.press('Enter');
    await menu.click();
    await expect(sound).toHaveAttribute('aria-checked', 'false');
    expect(await tones()).toBe(0);
  });

  it('the chat can be opened, used and closed with the keyboard alone, and returns the focus', async ({
    visit,
    tag,
  }) => {
    const { page, widget } = await visit(tag());
    await widget.launcher.focus();
    await page.keyboard.press('Enter');
    await expect(widget.input).toBeVisible();
    const focused = () =>
      page.evaluate(
        `document.activeElement?.shadowRoot?.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName`,
      );
    await page.waitForFunction(
      `document.querySelector('workspace-chat').shadowRoot.activeElement?.getAttribute('aria-label') === 'Message'`,
    );
    await page.keyboard.type('When are you open?');
    await page.keyboard.press('Enter');
    await expect(widget.replies.first()).toBeVisible();
    await widget.waitUntilIdle();
    expect(await focused(), 'the focus stays where the visitor writes').toBe('Message');
    const passed: unknown[] = [];
    while (passed.length < 10 && passed.at(-1) !== 'Conversation') {
      await page.keyboard.press('Shift+Tab');
      passed.push(await focused());
    }
    expect(passed.at(-1), 'the transcript can be scrolled by keys').toBe('Conversation');
    await page.keyboard.press('Escape');
    await expect(widget.input).toBeHidden();
    expect(await focused()).toBe('Open chat');
  });

  it('the chat that fills a phone returns the focus to its launcher when it is closed', async ({ visit, tag }) => {
    const context = { viewport: { width: 390, height: 844 }, hasTouch: true };
    const { page, widget } = await visit(tag(), { context });
    for (let time = 0; time < 2; time++) {
      await widget.launcher.tap();
      await expect(widget.input).toBeVisible();
      await widget.input.tap();
      await page.locator('workspace-chat .panel').getByRole('button', { name: 'Close' }).tap();
      await expect(widget.input).toBeHidden();
      await expect(widget.launcher).toBeFocused();
    }
  });

  it('a chat that is open when the page loads does not take the focus', async ({ visit, tag }) => {
    const { page, widget } = await visit(tag());
    await widget.open();
    await page.reload();
    await expect(widget.input).toBeVisible();
    await poll(() => page.evaluate('document.activeElement.tagName')).toBe('BODY');
  });

  for (const { size, viewport, css } of [
    {
      size: '320 px at 200 % text size',
      viewport: { width: 320, height: 640 },
      css: '--workspace-chat-font-size: 32px',
    },
    { size: 'a phone held sideways', viewport: { width: 844, height: 390 }, css: '' },
  ])
    it(`the chat fits into ${size}, and the transcript has half of the height`, async ({ visit, tag }) => {
      const { page, widget } = await visit(tag(), { context: { viewport } });
      await page.addStyleTag({ content: `workspace-chat { ${css} }` });
      await widget.open();
      await widget.ask('When are you open?');
      const overflow = await page.evaluate(`
        [...document.querySelector('workspace-chat').shadowRoot.querySelectorAll('.panel, .scroller, .composer, .message, .bubble')]
          .filter((element) => element.scrollWidth > element.clientWidth + 1).map((element) => element.className)`);
      expect(overflow).toEqual([]);
      await widget.dialog.getByRole('button', { name: 'Menu' }).click();
      for (const control of [
        widget.input,
        page.getByRole('button', { name: 'Send' }),
        widget.dialog.getByRole('button', { name: 'Close chat' }),
        page.getByRole('menu'),
      ]) {
        const { x, y, width, height } = (await control.boundingBox())!;
        expect(x).toBeGreaterThanOrEqual(0);
        expect(y).toBeGreaterThanOrEqual(0);
        expect(x + width).toBeLessThanOrEqual(viewport.width);
        expect(y + height).toBeLessThanOrEqual(viewport.height);
      }
      // The room beside the heading is used before it is cut. A line is rounded to whole pixels.
      const cut = await widget.dialog
        .locator('#heading, .status')
        .evaluateAll((texts) =>
          texts
            .filter((text) => text.scrollWidth > text.clientWidth || text.scrollHeight > text.clientHeight + 2)
            .map(({ textContent }) => textContent),
        );
      expect(cut).toEqual([]);
      await page.keyboard.press('Escape');
      const transcript = (await page.getByRole('log').boundingBox())!;
      expect(transcript.height).toBeGreaterThanOrEqual(viewport.height / 2);
      await expect(page.getByText('AI replies can be wrong.').locator('visible=true')).toHaveCount(1);
    });

  it('the messages are visible where the browser shows text in four times its size', async ({ visit, tag }) => {
    const { page, widget } = await visit(tag());
    const session = await page.context().newCDPSession(page);
    await session.send('Page.setFontSizes', { fontSizes: { standard: 64, fixed: 64 } });
    await widget.open();
    await widget.ask('When are you open?');
    expect((await page.getByRole('log').boundingBox())!.height).toBeGreaterThan(200);
  });

  it('the button that leads to the end covers no field of a form', async ({ visit, tag }) => {
    const { page, widget } = await visit(tag());
    await widget.open();
    await widget.ask('I want a custom order');
    await expect(page.getByLabel('Name')).toBeVisible();
    const toEnd = page.getByRole('button', { name: 'New messages' });
    for (const top of [0, 60, 120, 180, 240]) {
      await page.getByRole('log').evaluate((scroller, value) => scroller.scrollTo(0, value), top);
      await expect(toEnd).toBeVisible();
      const button = (await toEnd.boundingBox())!;
      const scroller = (await page.getByRole('log').boundingBox())!;
      expect(button.y).toBeGreaterThanOrEqual(scroller.y + scroller.height);
    }
  });
});
