import type { Page } from '@playwright/test';
import { expect, it } from '../support/fixtures.ts';
import { poll } from '../support/poll.ts';
import { callDemo, openTeamPage, teamPageOf } from '../support/pages/team-page.ts';
import { startDemo, type TestDemo } from '../support/pages/visit.ts';

// Each test continues on the page that the one before has left.
it.describe.configure({ mode: 'serial' });

it.describe('the team’s page, for the owner', () => {
  let demo: TestDemo;
  let page: Page;

  it.beforeAll(async ({ browser }) => {
    demo = await startDemo();
    page = await (await browser.newContext()).newPage();
    await openTeamPage(page, demo);
    await expect(page.getByRole('heading', { name: 'Inbox' })).toBeVisible();
  });

  it.afterAll(async () => {
    await page?.close();
    await demo?.close();
  });

  const api = async (method: string, path: string, body?: object) => (await callDemo(demo, method, path, body)).body;

  const { view, press, said } = teamPageOf(() => page);

  it('the values for a website are shown, and its address can be allowed', async () => {
    await view('Agents');
    const panel = page.locator('article').first();
    await expect(panel.locator('dl')).toContainText(demo.config.baseUrl);
    await expect(panel.locator('dl')).toContainText(demo.config.agentId);
    await panel.getByLabel('Allowed websites').fill('www.palm-and-clay.example\nhttps://shop.example/cart');
    await panel.getByRole('button', { name: 'Save the websites' }).click();
    await said('The websites of');
    await expect(panel.getByLabel('Allowed websites')).toHaveValue(
      'https://www.palm-and-clay.example\nhttps://shop.example',
    );
  });

  it('an agent can be created and retired', async () => {
    await view('Agents');
    await page.getByLabel('Its name').fill('Night desk');
    await page.getByLabel('Its language').selectOption('english');
    await page.getByLabel('Its time zone').fill('Asia/Muscat');
    await press('Create the agent');
    await said('The agent was created.');
    const panel = page.getByRole('article').filter({ hasText: 'Night desk' });
    await panel.getByRole('button', { name: 'Retire' }).click();
    await said('Night desk is retired.');
    const { data } = await api('GET', '/agents');
    expect(data.find(({ name }: { name: string }) => name === 'Night desk').status).toBe('retired');
  });

  it('a member can be invited, given another role and removed, and the plan changed', async () => {
    await view('Workspace');
    await page.getByLabel('Their name').fill('عائشة');
    await page.getByLabel('Their e-mail address').fill('aisha@workspace.example');
    await page.getByLabel('Their role').selectOption('editor');
    await press('Invite');
    await said('The member was invited.');
    const role = page.getByLabel('Role of عائشة');
    await expect(role).toHaveValue('editor');
    await role.selectOption('viewer');
    await said('The role was changed.');
    await expect(role).toHaveValue('viewer');
    await press('Remove عائشة');
    await said('The member was removed');
    await page.getByLabel('Plan').selectOption('team');
    await press('Change the plan');
    await said('The plan was changed.');
    expect((await api('GET', '/me')).workspace.plan).toBe('team');
    await page.getByLabel('Plan').selectOption('business');
    await press('Change the plan');
    await expect(page.getByText('(business:')).toBeVisible();
  });

  it('the audit log shows the changes, newest first, and older ones on demand', async () => {
    await view('Audit log');
    const entries = page.getByRole('main').getByRole('listitem');
    await expect(entries.nth(0)).toContainText('workspace.plan_changed');
    await expect(entries.nth(2)).toContainText('member.removed');
    await expect(entries.nth(3)).toContainText('editor → viewer');
    for (let change = 0; change < 18; change++) {
      await api('PATCH', `/team/agents/${demo.config.agentId}`, { status: change % 2 === 0 ? 'paused' : 'live' });
    }
    await expect(entries).toHaveCount(20);
    await expect(entries.filter({ hasText: 'agent.identity_secret_rotated' })).toHaveCount(0);
    await press('Show older ones');
    await expect(entries.filter({ hasText: 'agent.identity_secret_rotated' })).toBeVisible();
  });

  it('a delivery that failed for good is listed and can be delivered again', async () => {
    await view('Webhooks');
    await expect(page.getByText('Every event was delivered, or will be tried again.')).toBeVisible();
    // Nothing listens on this port.
    const url = 'http://127.0.0.1:9/';
    const endpoint = await api('POST', '/webhooks', { url, events: ['contact.created'] });
    await api('POST', '/contacts', { email: 'dead@letter.example' });
    const attempts = async () =>
      (await api('GET', `/team/webhooks/${endpoint.id}/deliveries`)).data.map((each: any) => each.attempts)[0];
    for (const [retry, minutes] of [0, 1, 5, 30, 120, 720].entries()) {
      demo.moveClock(minutes * 60_000);
      await poll(attempts).toBe(retry + 1);
    }
    const letter = page.getByRole('listitem').filter({ hasText: 'contact.created' }).filter({ hasText: '6×' });
    await expect(letter).toContainText('unreachable');
    await letter.getByRole('button', { name: 'Deliver contact.created again' }).click();
    await said('The event is being delivered again.');
    await expect(letter).toHaveCount(0);
  });
});
