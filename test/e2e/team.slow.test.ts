import type { Page } from '@playwright/test';
import { accessibilityViolations } from '../support/pages/axe.ts';
import { expect, it } from '../support/fixtures.ts';
import { poll } from '../support/poll.ts';
import { collectErrors } from '../support/pages/console-errors.ts';
import { callDemo, openTeamPage, teamPageOf } from '../support/pages/team-page.ts';
import { startDemo, type TestDemo } from '../support/pages/visit.ts';
import { listen, type Listening } from '../support/servers/listen.ts';

// Each test continues on the page that the one before has left.
it.describe.configure({ mode: 'serial' });

it.describe('the team’s page', () => {
  let demo: TestDemo;
  let page: Page;
  const consoleErrors: string[] = [];
  let shop: Listening;
  /** The body of every response of the shop's own server. */
  let shopBody = '';

  it.beforeAll(async ({ browser }) => {
    demo = await startDemo();
    shop = await listen((_request, response) => response.end(shopBody));
    await ask('I want to talk to a human');
    await ask('أريد التحدث مع موظف');
    const context = await browser.newContext();
    collectErrors(context, consoleErrors);
    page = await context.newPage();
    await openTeamPage(page, demo);
    await expect(page.getByRole('heading', { name: 'Inbox' })).toBeVisible();
  });

  it.afterAll(async () => {
    await page?.close();
    await demo?.close();
    await shop?.close();
  });

  it.beforeEach(() => demo.moveClock(60_000));

  const api = (method: string, path: string, body?: object, key?: string) => callDemo(demo, method, path, body, key);
  const agentPath = () => `/agents/${demo.config.agentId}`;
  const ask = (content: string) => api('POST', `${agentPath()}/chat`, { messages: [{ role: 'user', content }] });

  const { view, press, said } = teamPageOf(() => page);

  it('the team’s page explains why it refuses a key without the required scopes', async ({
    newPage,
    allowedErrors,
  }) => {
    allowedErrors.push(/status of 401/);
    const stranger = await newPage();
    await stranger.goto(`${demo.url}team.html`);
    await stranger.getByLabel('secret key').fill('svc_sk_none');
    await stranger.keyboard.press('Enter');
    await expect(stranger.getByRole('alert').filter({ hasText: /\w/ })).toBeVisible();
    await expect(stranger.getByRole('navigation')).toHaveCount(0);
    await stranger.close();
  });

  it('a reply that is being written stays with its ticket, and a double click sends it once', async () => {
    const choose = (subject: string) => page.getByRole('button', { name: subject }).click();
    const reply = page.getByLabel('Your reply');
    await choose('I want to talk to a human');
    await reply.fill('Hello, this is Salma.');
    await choose('أريد التحدث مع موظف');
    await expect(reply).toHaveValue('');
    await page.getByRole('navigation').getByRole('link').nth(1).click();
    await page.goBack();
    await choose('I want to talk to a human');
    await expect(reply).toHaveValue('Hello, this is Salma.');
    await page.getByRole('button', { name: 'Reply', exact: true }).dblclick();
    // What is typed while the reply is being sent.
    await reply.fill('And');
    const sent = page.locator('#messages [data-by="owner"]').getByText('Hello, this is Salma.');
    await expect(sent).toHaveCount(1);
    await page.waitForResponse((response) => response.url().endsWith('/inbox'));
    await expect(sent).toHaveCount(1);
    await expect(reply).toHaveValue('And');
    await reply.fill('');
  });

  it('a ticket can be opened, replied to, put on hold and closed with the keyboard, and the focus stays', async () => {
    const ticket = page.getByRole('button', { name: 'أريد التحدث مع موظف' });
    await ticket.focus();
    await page.keyboard.press('Enter');
    const reply = page.getByLabel('Your reply');
    await expect(reply).toBeVisible();
    await poll(() => page.locator('#conversation h2').evaluate((heading) => getComputedStyle(heading).direction)).toBe(
      'rtl',
    );
    await reply.focus();
    await page.keyboard.type('أهلًا، معك سلمى.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.locator('#messages [data-by="owner"]').getByText('أهلًا، معك سلمى.')).toBeVisible();
    // The page reloads the inbox every two seconds. The focused control keeps the focus.
    const hold = page.getByRole('button', { name: 'Put on hold' });
    await hold.focus();
    await page.waitForResponse((response) => response.url().endsWith('/inbox'));
    await poll(() => page.evaluate(() => document.activeElement?.textContent?.trim())).toBe('Put on hold');
    await page.keyboard.press('Enter');
    await said('Put on hold.');
    await press('Open again');
    await said('Open again.');
    await press('Close the ticket');
    await said('Closed: the assistant answers again.');
    await page.getByText('More about the ticket').click();
    await page.getByLabel('How the customer found it').selectOption('good');
    await page.getByLabel('In their words').fill('ممتاز');
    await press('Keep it');
    await said('Thank you');
    const { body } = await api('GET', '/tickets?status=closed');
    expect([body.data[0].subject, body.data[0].csat_score, body.data[0].csat_comment, body.data[0].closed_by]).toEqual([
      'أريد التحدث مع موظف',
      1,
      'ممتاز',
      'mem_salma',
    ]);
  });

  it('the host of an action can be verified, and a waiting call approved', async () => {
    const { url } = shop;
    const made = await api('POST', `${agentPath()}/actions`, {
      name: 'kiln_weather',
      kind: 'http',
      method: 'GET',
      url_template: `${url}/weather`,
      requires_approval: true,
      config: { asked_by: ['Kiln weather report'] },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    await view('Agents');
    await press('Verify the host of kiln_weather');
    await said('Not verified');
    ({ public_key: shopBody } = (await api('GET', agentPath())).body);
    await press('Verify the host of kiln_weather');
    await said('The host is yours.');
    await api('PATCH', `${agentPath()}/actions/${made.body.id}`, { enabled: true });
    shopBody = '{"wind": 3}';
    await ask('Kiln weather report');
    await view('Inbox');
    await expect(page.getByRole('region', { name: 'Requests to approve' }).getByText('kiln weather')).toBeVisible();
    await press('Approve');
    await said('Approved.');
    const { body } = await api('GET', `${agentPath()}/actions/${made.body.id}/calls`);
    expect([body.data[0].outcome, body.data[0].approval.user_id]).toEqual(['worked', 'mem_salma']);
  });

  it('a new key is shown once and can be revoked', async () => {
    await view('Keys');
    await page.getByLabel('What it is for').fill('CRM');
    await page.getByLabel('leads:read').check();
    await press('Make the key');
    const key = await page.locator('output').innerText();
    expect(key).toMatch(/^svc_sk_/);
    expect((await api('GET', '/leads', undefined, key)).status).toBe(200);
    await view('Agents');
    await view('Keys');
    await expect(page.locator('output')).toHaveCount(0);
    await press('Revoke CRM');
    await said('Revoked.');
    expect((await api('GET', '/leads', undefined, key)).body.error.code).toBe('invalid_key');
  });

  it('a rotated identity secret is shown once', async () => {
    await view('Agents');
    await press('Rotate the secret');
    await expect(page.locator('output')).toHaveText(/^idsec_[\w-]{43}$/);
    await view('Keys');
    await view('Agents');
    await expect(page.locator('output')).toHaveCount(0);
  });

  it('an agent can be paused and set live again', async () => {
    await press('Pause');
    await said('is paused');
    expect((await ask('Hello')).body.error.code).toBe('agent_unavailable');
    await press('Go live');
    await said('is live');
    expect((await ask('Hello')).status).toBe(200);
  });

  it('a file and a website can be added as sources, and the fields of leads edited', async () => {
    await page
      .getByLabel('A file')
      .first()
      .setInputFiles({
        name: 'raku.md',
        mimeType: 'text/markdown',
        buffer: Buffer.from('# Raku\n\nRaku is on Mondays.'),
      });
    await press('Add the file');
    await said('Added: it is being indexed.');
    await expect(page.getByRole('listitem').filter({ hasText: 'raku.md' }).getByText('indexed')).toBeVisible();
    await page.getByLabel('A website').first().fill('https://10.0.0.1/');
    await press('Add the website');
    await said('url: The host is not public.');
    const editor = page.getByRole('form', { name: 'Lead field of Palm & Clay', exact: true });
    await editor.getByRole('button', { name: 'Add' }).click();
    const last = editor.getByRole('group').last();
    await last.getByLabel('Key').fill('color');
    await last.getByLabel('English').fill('Color');
    await last.getByLabel('Arabic').fill('اللون');
    await editor.getByRole('button', { name: 'Save' }).click();
    await said('Saved.');
    const { body } = await api('GET', `${agentPath()}/lead-fields`);
    expect([body.data.at(-1).key, body.data.at(-1).label_ar]).toEqual(['color', 'اللون']);
  });

  it('a webhook endpoint can be tested, a delivery replayed, and the endpoint switched off and on', async () => {
    await view('Webhooks');
    await press('Send webhook.test');
    await said('webhook.test was sent.');
    await press('Deliveries');
    const delivery = page.getByRole('listitem').filter({ hasText: 'webhook.test' });
    await expect(delivery.getByText('succeeded')).toBeVisible();
    await delivery.getByRole('button', { name: 'Replay webhook.test' }).click();
    await expect(delivery.getByText('2×')).toBeVisible();
    await press('Switch off');
    await said('Switched off.');
    expect((await api('GET', '/webhooks')).body.data[0].disabled_reason).toBe('owner');
    await press('Switch on');
    await said('Switched on.');
    await page.getByLabel('A campaign called').fill('Spring');
    await press('Send campaign.sent');
    await said('campaign.sent was sent.');
  });

  it('additional conversations can be bought, tag rules saved, and a bounced e-mail address recorded', async () => {
    await view('Workspace');
    await page.getByLabel('More conversations').fill('40');
    await press('Add them');
    await said('Bought.');
    expect((await api('GET', '/usage')).body.pool.top_ups).toBe(40);
    const rules = page.getByRole('form', { name: 'Tag rule' });
    await rules.getByRole('button', { name: 'Add' }).click();
    await rules.getByLabel('Words').fill('refund');
    await rules.getByLabel('Tag').fill('money');
    await rules.getByRole('button', { name: 'Save' }).click();
    await said('Saved.');
    await api('POST', '/contacts', { name: 'عائشة', email: 'aisha@example.com' });
    await view('Contacts');
    await press('Bounced: عائشة');
    await said('Kept');
    expect((await api('GET', '/contacts')).body.data[0].marketing_status).toBe('bounced');
  });

  it('no view has an axe violation or overflows, in both color schemes, wide and narrow', async ({ allowedErrors }) => {
    allowedErrors.push(/40[19]|422|409/);
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1280, 360]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: width === 360 ? 740 : 800 });
        for (const name of ['Inbox', 'Agents', 'Contacts', 'Keys', 'Webhooks', 'Workspace', 'Audit log']) {
          await view(name);
          await seen(`${name} ${width} ${colorScheme}`);
          if (name !== 'Inbox') continue;
          await press('I want to talk to a human');
          await expect(page.getByLabel('Your reply')).toBeVisible();
          await seen(`ticket ${width} ${colorScheme}`);
          if (width === 360) await press('‹ Inbox');
        }
      }
    }
    // Earlier tests send requests that must be refused, and the browser logs each refusal.
    expect(consoleErrors.filter((text) => !/40[19]|422|409/.test(text))).toEqual([]);
  });

  const seen = async (what: string): Promise<void> => {
    expect(await accessibilityViolations(page), what).toEqual([]);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wider <= 0, `${what} is ${wider} px too wide`).toBeTruthy();
  };
});
