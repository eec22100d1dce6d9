import { poll } from '../support/poll.ts';
import { expect, inLanguage, it } from './embed-fixtures.ts';

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
    it(title, { tag: language === 'en' ? [] : '@slow' }, async ({ visit, tag, service }) => {
      const requests: { conversation_id?: string; conversation_token?: string }[] = [];
      const { page, widget } = await visit(inLanguage(language) + tag(), {
        prepare: (opened) =>
          opened.on('request', (request) => {
            if (request.method() === 'POST') requests.push(request.postDataJSON());
          }),
      });
      await widget.open();
      await expect(widget.dialog).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr');
      await page.evaluate(watchPaints);
      expect(await widget.ask(question)).toMatch(reply);
      const paints = Number(await page.evaluate('paints'));
      expect(paints >= 3, `the reply was painted in ${paints} paints`).toBeTruthy();
      service.setChunkDelay(5);
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

      service.moveClock(day);
      await page.clock.setFixedTime(Date.now() + day);
      await page.reload();
      await expect(widget.input).toBeVisible();
      await expect(widget.visitorMessages).toHaveCount(0);
      await poll(async () => (await widget.state()).conversationId).toBeNull();
      await widget.ask(question);
      expect(requests[2]!.conversation_id).toBe(undefined);
      await poll(async () => (await widget.state()).conversationId).not.toBe(conversationId);
      service.moveClock(-day);
    });
  }
});
