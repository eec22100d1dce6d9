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

  it('has one copy of Lit, whichever of its directives a view uses', async () => {
    await view('Inbox');
    expect(await page.evaluate('litHtmlVersions.length')).toBe(1);
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

  it('the roles are those of the service, also after a member was added before others, and when a change is refused', async () => {
    await view('Workspace');
    for (const name of ['Mariam', 'Basma'])
      await api('POST', '/team/members', { name, email: `${name}@workspace.example`, role: 'editor' });
    const role = page.getByLabel('Role of Mariam');
    await role.selectOption('viewer');
    await said('The role was changed.');
    await api('POST', '/team/members', { name: 'Asma', email: 'asma@workspace.example', role: 'agent' });
    await expect(page.getByLabel('Role of Asma')).toHaveValue('agent');
    await expect(page.getByLabel('Role of Basma')).toHaveValue('editor');
    await expect(role).toHaveValue('viewer');
    await page.route('**/team/members/*', (route) =>
      route.fulfill({ status: 409, json: { error: { message: 'No.' } } }),
    );
    await role.selectOption('admin');
    await said('No.');
    await expect(role).toHaveValue('viewer');
    await page.unroute('**/team/members/*');
  });

  it('two agents with the same name keep their own unsaved lead fields', async () => {
    await view('Agents');
    for (const language of ['english', 'arabic']) await api('POST', '/team/agents', { name: 'Desk', language });
    const panels = page.getByRole('article').filter({ has: page.getByRole('heading', { name: /^Desk/ }) });
    await expect(panels).toHaveCount(2);
    const editors = panels.getByRole('form', { name: 'Lead field' });
    await editors.first().getByRole('button', { name: 'Add' }).click();
    await expect(editors.first().getByRole('group')).toHaveCount(1);
    await expect(editors.last().getByRole('group')).toHaveCount(0);
  });

  it('a service that does not respond is reported, until it responds again', async () => {
    await view('Inbox');
    await page.route('**/team/inbox', (route) => route.abort());
    await said('The service does not respond');
    await page.unroute('**/team/inbox');
    await expect(page.getByText('The service does not respond')).toHaveCount(0);
  });

  it('a key that was revoked leads back to the sign-in', async () => {
    const other = await page.context().newPage();
    await openTeamPage(other, demo);
    await expect(other.getByRole('heading', { name: 'Inbox' })).toBeVisible();
    await other.route('**/team/inbox', (route) =>
      route.fulfill({ status: 401, json: { error: { message: 'The key was revoked.' } } }),
    );
    await expect(other.getByRole('alert').filter({ hasText: 'The key was revoked.' })).toBeVisible();
    await expect(other.getByLabel('secret key')).toBeVisible();
    await other.close();
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
