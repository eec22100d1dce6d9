/** The team's page of a demo, as its owner uses it. */
import { expect, type Page } from '@playwright/test';
import type { TestDemo } from './visit.ts';

/** Opens a view of the team's page with the secret key. */
export const openTeamPage = async (page: Page, { url, secretKey }: TestDemo, view = 'inbox'): Promise<void> => {
  await page.goto(`${url}team.html#${view}`);
  await page.getByLabel('secret key').fill(secretKey!);
  await page.keyboard.press('Enter');
};

/** Calls the API, or an operation of the dashboard with a path that begins with `/team`, by default with the secret key. */
export const callDemo = async (
  { config, secretKey }: TestDemo,
  method: string,
  path: string,
  body?: object,
  key = secretKey!,
): Promise<{ status: number; body: any }> => {
  const url = path.startsWith('/team/') ? new URL(path, config.baseUrl) : `${config.baseUrl}${path}`;
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json().catch(() => null) };
};

/** What the owner does on the page. */
export const teamPageOf = (page: () => Page) => ({
  view: async (name: string) => {
    await page().getByRole('navigation').getByRole('link', { name }).click();
    await expect(page().getByRole('heading', { level: 1, name })).toBeVisible();
  },
  press: (name: string | RegExp) => page().getByRole('button', { name }).first().click(),
  said: (text: string) => page().getByRole('status').filter({ hasText: text }).waitFor(),
});
