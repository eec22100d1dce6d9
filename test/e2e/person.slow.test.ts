import type { Page } from '@playwright/test';
import { createDemo } from '../../demo/site.ts';
import { expect, it as base } from '../support/fixtures.ts';
import { poll } from '../support/poll.ts';

const it = base.extend<{ openTicket(subject: string): Promise<Page> }>({
  /** Opens the team's inbox at the ticket. */
  openTicket: async ({ newPage, demo }, use) => {
    await use(async (subject) => {
      const team = await newPage();
      await team.goto(`${demo.url}team.html`);
      await team.getByLabel('secret key').fill(demo.secretKey!);
      await team.getByRole('button', { name: 'Open the inbox' }).click();
      await team.getByRole('button', { name: subject }).click();
      return team;
    });
  },
});

it.describe('a person of the team', () => {
  const reply = async (team: Page, text: string): Promise<void> => {
    await team.getByLabel('Your reply').fill(text);
    await team.getByRole('button', { name: 'Reply', exact: true }).click();
    await expect(team.locator('#messages').getByText(text)).toBeVisible();
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
    it(`in ${language} a person takes over, replies, is counted as unread while the chat is closed, and hands back`, async ({
      page,
      widget,
      demo,
      openTicket,
    }) => {
      await page.goto(`${demo.url}?lang=${language}`);
      await widget.open();
      await widget.ask(asks);
      await poll(async () => (await widget.state()).state).toBe('handoff_requested');

      const team = await openTicket(asks);
      await expect(team.locator('#messages').getByText(asks)).toBeVisible();
      await reply(team, replies);
      const fromTeam = page.locator('workspace-chat [part~="message-team"]');
      await expect(fromTeam.filter({ hasText: replies })).toBeVisible();
      await expect(fromTeam).toHaveText(new RegExp(name));
      await stateIs(page, 'human_active');

      // The assistant does not reply while a person has taken over.
      const answered = await widget.replies.count();
      await widget.input.fill(question);
      await widget.input.press('Enter');
      await expect(team.locator('#messages').getByText(question)).toBeVisible();
      await widget.waitUntilIdle();
      await expect(widget.replies).toHaveCount(answered);

      await page.getByRole('button', { name: close }).first().click();
      await reply(team, more);
      await page.waitForFunction(() => document.querySelector('workspace-chat')?.unreadCount === 1);
      await widget.open();
      await expect(fromTeam.filter({ hasText: more })).toBeVisible();
      await poll(async () => (await widget.state()).unread).toBe(0);

      // A page that is opened again shows each reply that was sent in the meantime once.
      await page.goto('about:blank');
      await reply(team, `${more} (2)`);
      await page.goto(`${demo.url}?lang=${language}`);
      await expect(fromTeam.filter({ hasText: '(2)' })).toBeVisible();
      await expect(fromTeam).toHaveCount(3);

      await team.getByRole('button', { name: 'Close the ticket' }).click();
      await stateIs(page, 'ai_active');
      expect(await widget.ask(later)).toMatch(answer);
    });
  }

  it('the team sees who is signed in, and signing out starts a new conversation without an identity', async ({
    page,
    widget,
    demo,
    openTicket,
  }) => {
    await page.goto(demo.url);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('button', { name: 'Aisha · Sign out' })).toBeVisible();
    await widget.open();
    await widget.ask('I want to talk to a human');
    const { conversationId } = await widget.state();

    const team = await openTicket('I want to talk to a human');
    await expect(team.locator('#person').getByText('Aisha Al Lawati')).toBeVisible();
    await expect(team.locator('#person')).toHaveText(/verified/i);

    await page.reload();
    await expect(widget.visitorMessages.first()).toBeVisible();
    await poll(async () => (await widget.state()).conversationId).toBe(conversationId);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await page.waitForFunction(() => document.querySelector('workspace-chat')?.conversationId === null);
    await page.reload();
    await expect(widget.input).toBeVisible();
    await expect(widget.visitorMessages).toHaveCount(0);
    await widget.ask('Are you open on Friday?');
    await poll(async () => (await widget.state()).conversationId).not.toBe(conversationId);
  });

  it('the demo reports once that the secret key of a real workspace is missing, and offers no sign-in', async ({
    page,
    demo,
  }) => {
    const named = {
      WORKSPACE_BASE_URL: demo.config.baseUrl,
      WORKSPACE_PUBLISHABLE_KEY: demo.config.publishableKey,
      WORKSPACE_AGENT_ID: demo.config.agentId,
    };
    Object.assign(process.env, named);
    const progress: string[] = [];
    const other = await createDemo({ anyPort: true, onProgress: (text) => progress.push(text) });
    for (const name of Object.keys(named)) delete process.env[name];
    try {
      expect(progress.filter((text) => text.includes('WORKSPACE_SECRET_KEY'))).toHaveLength(1);
      await page.goto(other.url);
      await expect(page.locator('workspace-chat .launcher')).toBeVisible();
      await expect(page.locator('#customer')).toBeHidden();
      const config = (await (await fetch(`${other.url}config.json`)).json()) as object;
      expect(Object.keys(config).toSorted()).toEqual(['agentId', 'baseUrl', 'publishableKey']);
    } finally {
      await page.close();
      await other.close();
    }
  });
});
