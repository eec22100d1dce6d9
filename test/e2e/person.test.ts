import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright';
import { createDemo } from '../../demo/site.ts';
import { launchBrowser } from '../support/browsers/chromium.ts';
import { expectNoComplaints, newVisitor, startDemo, Widget } from '../support/pages/visit.ts';

describe('a person of the team', () => {
  let browser: Browser;
  let demo: Awaited<ReturnType<typeof startDemo>>;
  before(async () => {
    [browser, demo] = await Promise.all([launchBrowser(), startDemo()]);
  });
  after(async () => {
    await browser?.close();
    await demo?.close();
  });
  beforeEach(() => demo.moveClock(60_000));

  /** The inbox of the team, open at the ticket. */
  const openTicket = async (subject: string): Promise<{ context: BrowserContext; team: Page }> => {
    const context = await newVisitor(browser);
    const team = await context.newPage();
    await team.goto(`${demo.url}team.html`);
    await team.getByLabel('secret key').fill(demo.secretKey!);
    await team.getByRole('button', { name: 'Open the inbox' }).click();
    await team.getByRole('button', { name: subject }).click();
    return { context, team };
  };

  const reply = async (team: Page, text: string): Promise<void> => {
    await team.getByLabel('Your reply').fill(text);
    await team.getByRole('button', { name: 'Reply', exact: true }).click();
    await team.locator('#messages').getByText(text).waitFor();
  };

  const stateIs = (page: Page, state: string) =>
    page.waitForFunction((wanted) => document.querySelector('workspace-chat')?.conversationState === wanted, state);

  for (const { language, asks, question, replies, more, later, answer, close, team: name } of [
    {
      language: 'en',
      asks: 'Can I talk to a real person?',
      question: 'Thank you, Salma!',
      replies: 'Salma here. How can I help?',
      more: 'I have just looked: your bowl is ready.',
      later: 'When are you open on Friday?',
      answer: /16:00/,
      close: 'Close chat',
      team: 'Team',
    },
    {
      language: 'ar',
      asks: 'أريد التحدث مع موظف',
      question: 'شكرًا يا سلمى',
      replies: 'معك سلمى، كيف أساعدك؟',
      more: 'نظرتُ للتو: وعاؤك جاهز.',
      later: 'متى تفتحون يوم الجمعة؟',
      answer: /الجمعة/,
      close: 'إغلاق المحادثة',
      team: 'الفريق',
    },
  ] as const) {
    it(`in ${language} is asked for, answers, is counted while the chat is closed, and hands back`, async () => {
      const context = await newVisitor(browser);
      const page = await context.newPage();
      const widget = new Widget(page);
      await page.goto(`${demo.url}?lang=${language}`);
      await widget.open();
      await widget.ask(asks);
      assert.equal((await widget.state()).state, 'handoff_requested');

      const { context: office, team } = await openTicket(asks);
      await team.locator('#messages').getByText(asks).waitFor();
      await reply(team, replies);
      const fromTeam = page.locator('workspace-chat [part~="message-team"]');
      await fromTeam.filter({ hasText: replies }).waitFor();
      assert.match(await fromTeam.innerText(), new RegExp(name));
      await stateIs(page, 'human_active');

      // The assistant keeps out of it.
      const answered = await widget.answers.count();
      await widget.input.fill(question);
      await widget.input.press('Enter');
      await team.locator('#messages').getByText(question).waitFor();
      await widget.settle();
      assert.equal(await widget.answers.count(), answered);

      await page.getByRole('button', { name: close }).first().click();
      await reply(team, more);
      await page.waitForFunction(() => document.querySelector('workspace-chat')?.unreadCount === 1);
      await widget.open();
      await fromTeam.filter({ hasText: more }).waitFor();
      assert.equal((await widget.state()).unread, 0);

      // Replies that came while the page was away are there when it is back, each once.
      await page.goto('about:blank');
      await reply(team, `${more} (2)`);
      await page.goto(`${demo.url}?lang=${language}`);
      await fromTeam.filter({ hasText: '(2)' }).waitFor();
      assert.equal(await fromTeam.count(), 3);

      await team.getByRole('button', { name: 'Close the ticket' }).click();
      await stateIs(page, 'ai_active');
      assert.match(await widget.ask(later), answer);
      expectNoComplaints(context);
      expectNoComplaints(office);
      await Promise.all([context.close(), office.close()]);
    });
  }

  it('recognises the customer who is signed in, whom signing out makes a stranger again', async () => {
    const context = await newVisitor(browser);
    const page = await context.newPage();
    const widget = new Widget(page);
    await page.goto(demo.url);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Aisha · Sign out' }).waitFor();
    await widget.open();
    await widget.ask('I want to talk to a human');
    const { conversationId } = await widget.state();

    const { context: office, team } = await openTicket('I want to talk to a human');
    await team.locator('#person').getByText('Aisha Al Lawati').waitFor();
    assert.match(await team.locator('#person').innerText(), /verified/i);

    await page.reload();
    await widget.visitorMessages.first().waitFor();
    assert.equal((await widget.state()).conversationId, conversationId);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.waitForFunction(() => document.querySelector('workspace-chat')?.conversationId === null);
    await page.reload();
    await widget.input.waitFor();
    assert.equal(await widget.visitorMessages.count(), 0);
    await widget.ask('Are you open on Friday?');
    assert.notEqual((await widget.state()).conversationId, conversationId);
    expectNoComplaints(context);
    await Promise.all([context.close(), office.close()]);
  });

  it('needs secrets of a real workspace: without them the demo says so once, and offers no sign-in', async () => {
    const named = {
      WORKSPACE_BASE_URL: demo.config.baseUrl,
      WORKSPACE_PUBLISHABLE_KEY: demo.config.publishableKey,
      WORKSPACE_AGENT_ID: demo.config.agentId,
    };
    Object.assign(process.env, named);
    const told: string[] = [];
    const other = await createDemo({ anyPort: true, onProgress: (text) => told.push(text) });
    for (const name of Object.keys(named)) delete process.env[name];
    const context = await newVisitor(browser);
    try {
      assert.equal(told.filter((text) => text.includes('WORKSPACE_SECRET_KEY')).length, 1);
      const page = await context.newPage();
      await page.goto(other.url);
      await page.locator('workspace-chat .launcher').waitFor();
      assert.equal(await page.locator('#customer').isVisible(), false);
      const config = (await (await fetch(`${other.url}config.json`)).json()) as object;
      assert.deepEqual(Object.keys(config).toSorted(), ['agentId', 'baseUrl', 'publishableKey']);
      expectNoComplaints(context);
    } finally {
      await context.close();
      await other.close();
    }
  });
});
