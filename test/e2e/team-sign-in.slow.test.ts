import type { Page } from '@playwright/test';
import { createService, type Service } from '../../service/service.ts';
import { expect, it } from '../support/fixtures.ts';
import { startDemo, type TestDemo } from '../support/pages/visit.ts';
import { accessibilityViolations } from '../support/pages/axe.ts';
import { startOpenIdProvider, type Account } from '../support/servers/openid-provider.ts';
import { freePort } from '../support/servers/listen.ts';

const accounts: Record<string, Account> = {
  salma: { email: 'salma@shop.example', email_verified: true, name: 'سلمى', roles: ['agent'] },
  guest: { email: 'guest@shop.example', email_verified: true, name: 'Guest' },
};

it.describe('the team’s page, with an OpenID provider', () => {
  let demo: TestDemo;
  let provider: Awaited<ReturnType<typeof startOpenIdProvider>>;
  let service: Service;
  let baseUrl: string;

  it.beforeAll(async () => {
    demo = await startDemo();
    // The address of the callback contains the port, so that is chosen before the service starts.
    const port = await freePort();
    const redirectUrl = `http://127.0.0.1:${port}/team/sign-in/callback`;
    provider = await startOpenIdProvider(redirectUrl, accounts);
    service = await createService({ signIn: provider.settings(`${demo.url}team.html`) });
    ({ baseUrl } = await service.listen(port));
  });

  it.afterAll(async () => {
    await service?.close();
    await provider?.close();
    await demo?.close();
  });

  const open = async (page: Page): Promise<void> => {
    // The font of the provider's own page.
    await page.route('https://fonts.googleapis.com/**', (route) =>
      route.fulfill({ contentType: 'text/css', body: '' }),
    );
    await page.route('**/config.json', (route) => route.fulfill({ json: { ...demo.config, baseUrl } }));
    await page.goto(`${demo.url}team.html`);
  };

  const signIn = async (page: Page, account: string): Promise<void> => {
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByPlaceholder('Enter any login').fill(account);
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button').click();
    await page.getByRole('button', { name: 'Continue' }).click();
  };

  it('a member signs in, replies with the rights of the role, and signs out', async ({ page, allowedErrors }) => {
    allowedErrors.push(/403 \(Forbidden\) .*\/team\/keys/);
    await open(page);
    await expect(page.getByLabel('secret key')).toBeHidden();
    await signIn(page, 'salma');
    await expect(page.getByRole('heading', { name: 'Inbox' })).toBeVisible();
    const out = page.getByRole('button', { name: 'Sign out' });
    await expect(out).toContainText('سلمى');
    await page.reload();
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByLabel('What it is for').fill('A key');
    await page.getByLabel('agents:read').check();
    await page.getByRole('button', { name: 'Make the key' }).click();
    await expect(page.getByRole('status')).toContainText('role');
    await out.click();
    await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
  });

  it('a person without a role reads why the sign-in has failed', async ({ page }) => {
    await open(page);
    await signIn(page, 'guest');
    await expect(page.getByRole('alert')).toContainText('Your account has no role');
    await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
  });

  for (const scheme of ['light', 'dark'] as const)
    it(`the page before the sign-in fits into 360 px in both languages and has no axe violation (${scheme})`, async ({
      page,
    }) => {
      await page.setViewportSize({ width: 360, height: 700 });
      await page.emulateMedia({ colorScheme: scheme });
      await open(page);
      await page.getByText('With a secret key').click();
      const look = async () => {
        expect(await accessibilityViolations(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
        const button = await page.getByRole('main').getByRole('link').boundingBox();
        expect(button!.height).toBeGreaterThanOrEqual(40);
        expect(button!.width).toBeGreaterThan(300);
      };
      await expect(page).toHaveTitle('Sign in · Palm & Clay');
      await look();
      await page.getByRole('button', { name: 'العربية' }).click();
      await expect(page.getByRole('link', { name: 'تسجيل الدخول' })).toBeVisible();
      await expect(page).toHaveTitle('تسجيل الدخول · نخيل وطين');
      await look();
      await page.goto(`${page.url()}?sign-in=no_role`);
      await expect(page.getByRole('alert')).toContainText('لا دور لحسابك');
      await look();
    });

  it('a secret key opens the page as before', async ({ page }) => {
    await open(page);
    await page.getByText('With a secret key').click();
    await page.getByLabel('secret key').fill(service.demo.secretKey);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Inbox' })).toBeVisible();
  });
});
