import { expect, it } from '../support/fixtures.ts';
import { poll } from '../support/poll.ts';

const day = 24 * 3_600_000;

// The chunks are far enough apart to be painted separately on a busy machine.
it.use({ chunkDelay: 60 });

it.describe('a first conversation', () => {
  /** Counts the frames in which the newest reply shows more text than before. Returns a script for the page. */
  const watchPaints = `
    const lengths = new Set();
    requestAnimationFrame(function look() {
      const texts = document.querySelector('workspace-chat').shadowRoot.querySelectorAll('.message.agent .text');
      const length = texts[texts.length - 1]?.textContent.length ?? 0;
      if (length > 0) lengths.add(length);
      window.paints = lengths.size;
      requestAnimationFrame(look);
    });
  `;

  for (const [language, question, reply, source] of [
    ['en', 'When are you open on Friday?', /16:00/, 'Opening hours'],
    ['ar', 'متى تفتحون يوم الجمعة؟', /الجمعة/, 'ساعات العمل'],
  ] as const) {
    const title = `in ${language} a reply streams and shows its source, and the conversation survives a reload and ends after 24 hours`;
    it(title, { tag: language === 'en' ? [] : '@slow' }, async ({ page, widget, demo }) => {
      const requests: { conversation_id?: string; conversation_token?: string }[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST') requests.push(request.postDataJSON());
      });
      await page.goto(`${demo.url}?lang=${language}`);
      await widget.open();
      await expect(widget.dialog).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr');
      await page.evaluate(watchPaints);
      expect(await widget.ask(question)).toMatch(reply);
      const paints = Number(await page.evaluate('paints'));
      expect(paints >= 3, `the reply was painted in ${paints} paints`).toBeTruthy();
      await expect(page.locator('workspace-chat .sources .chip').first()).toContainText(source);
      const { conversationId } = await widget.state();
      expect(conversationId).toBeTruthy();

      await page.reload();
      await expect(widget.replies.first()).toBeVisible();
      await expect(widget.visitorMessages).toHaveText([question]);
      await poll(async () => (await widget.state()).conversationId).toBe(conversationId);
      await widget.ask(language === 'ar' ? 'شكرًا' : 'Thank you');
      expect(requests.length).toBe(2);
      expect(requests[0]!.conversation_id).toBe(undefined);
      expect(requests[1]!.conversation_id).toBe(conversationId);
      expect(requests[1]!.conversation_token).toBeTruthy();

      demo.moveClock(day);
      await page.clock.setFixedTime(Date.now() + day);
      await page.reload();
      await expect(widget.input).toBeVisible();
      await expect(widget.visitorMessages).toHaveCount(0);
      await poll(async () => (await widget.state()).conversationId).toBeNull();
      await widget.ask(question);
      expect(requests[2]!.conversation_id).toBe(undefined);
      await poll(async () => (await widget.state()).conversationId).not.toBe(conversationId);
      demo.moveClock(-day);
    });
  }

  it('a tab that stays open for more than 24 hours continues in a new conversation and says so', async ({
    page,
    widget,
    allowedErrors,
    demo,
  }) => {
    allowedErrors.push(/410/);
    await page.goto(demo.url);
    await widget.open();
    await widget.ask('When are you open?');
    const first = await widget.state();
    demo.moveClock(day);
    await widget.ask('Do you ship to Dubai?');
    demo.moveClock(-day);
    await poll(async () => (await widget.state()).conversationId).not.toBe(first.conversationId);
    await expect(page.getByText('The previous conversation has ended. This is a new one.')).toHaveCount(1);
    await expect(widget.visitorMessages).toHaveCount(2);
  });

  it('the assistant can use a tool of the page', async ({ page, widget, demo }) => {
    await page.goto(demo.url);
    await widget.open();
    expect(await widget.ask('Where is my order 1042?')).toMatch(/in the kiln/);
  });
});
