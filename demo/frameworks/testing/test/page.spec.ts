import { expect, test } from '@playwright/test';
import { createFakeService, routeFakeService } from 'workspace-chat/testing';

test('shows the reply of the agent', async ({ page }) => {
  const service = createFakeService({
    baseUrl: 'https://chat.example/api/v2',
    publishableKey: 'svc_pk_example',
    agentId: 'agt_example',
  });
  service.reply('It arrives on Monday.');
  await routeFakeService(page, service);
  await page.goto('/');
  await page.getByRole('button', { name: 'Help with my order' }).click();
  await expect(page.getByRole('log').getByText('It arrives on Monday.')).toBeVisible();
});
