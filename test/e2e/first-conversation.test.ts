import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright';
import { launchBrowser } from '../support/browsers/chromium.ts';
import { expectNoComplaints, newVisitor, startDemo, Widget } from '../support/pages/visit.ts';

const day = 24 * 3_600_000;

describe('a first conversation', () => {
  let browser: Browser;
  let demo: Awaited<ReturnType<typeof startDemo>>;

  before(async () => {
    [browser, demo] = await Promise.all([launchBrowser(), startDemo()]);
  });

  after(async () => {
    await browser?.close();
    await demo?.close();
  });

  /** Counts the frames in which the newest answer shows more than in those before: a script, for the page. */
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

  for (const [language, question, answer, source] of [
    ['en', 'When are you open on Friday?', /16:00/, 'Opening hours'],
    ['ar', 'متى تفتحون يوم الجمعة؟', /الجمعة/, 'ساعات العمل'],
  ] as const) {
    it(`in ${language} streams, shows its source, survives a reload and ends after 24 hours`, async () => {
      const context = await newVisitor(browser);
      const page = await context.newPage();
      const requests: { conversation_id?: string; conversation_token?: string }[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST') requests.push(request.postDataJSON());
      });
      const widget = new Widget(page);
      await page.goto(`${demo.url}?lang=${language}`);
      await widget.open();
      assert.equal(await widget.dialog.getAttribute('dir'), language === 'ar' ? 'rtl' : 'ltr');
      await page.evaluate(watchPaints);
      assert.match(await widget.ask(question), answer);
      const paints = Number(await page.evaluate('paints'));
      assert.ok(paints >= 3, `the answer came in ${paints} paints`);
      assert.equal(await page.locator('workspace-chat .source').first().innerText(), source);
      const { conversationId } = await widget.state();
      assert.ok(conversationId);

      await page.reload();
      await widget.answers.first().waitFor();
      assert.deepEqual(await widget.visitorMessages.allInnerTexts(), [question]);
      assert.equal((await widget.state()).conversationId, conversationId);
      await widget.ask(language === 'ar' ? 'شكرًا' : 'Thank you');
      assert.equal(requests.length, 2);
      assert.equal(requests[0]!.conversation_id, undefined);
      assert.equal(requests[1]!.conversation_id, conversationId);
      assert.ok(requests[1]!.conversation_token);

      demo.moveClock(day);
      await page.clock.setFixedTime(Date.now() + day);
      await page.reload();
      await widget.input.waitFor();
      assert.equal(await widget.visitorMessages.count(), 0);
      assert.equal((await widget.state()).conversationId, null);
      await widget.ask(question);
      assert.equal(requests[2]!.conversation_id, undefined);
      assert.notEqual((await widget.state()).conversationId, conversationId);
      expectNoComplaints(context);
      demo.moveClock(-day);
      await context.close();
    });
  }

  it('goes on in a tab that stays open past the 24 hours, in a new conversation that says so', async () => {
    const context = await newVisitor(browser);
    const page = await context.newPage();
    const widget = new Widget(page);
    await page.goto(demo.url);
    await widget.open();
    await widget.ask('When are you open?');
    const first = await widget.state();
    demo.moveClock(day);
    await widget.ask('Do you ship to Dubai?');
    demo.moveClock(-day);
    assert.notEqual((await widget.state()).conversationId, first.conversationId);
    assert.equal(await page.getByText('The previous conversation has ended. This is a new one.').count(), 1);
    assert.equal(await widget.visitorMessages.count(), 2);
    expectNoComplaints(context, /410/);
    await context.close();
  });

  it('runs a tool of the page', async () => {
    const context = await newVisitor(browser);
    const page = await context.newPage();
    const widget = new Widget(page);
    await page.goto(demo.url);
    await widget.open();
    assert.match(await widget.ask('Where is my order 1042?'), /in the kiln/);
    expectNoComplaints(context);
    await context.close();
  });
});
