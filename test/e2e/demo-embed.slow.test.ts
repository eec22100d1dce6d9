import { expect, it } from '../support/fixtures.ts';

it('the demo’s page with the script tag opens the chat with its own button, and receives a reply of the local service', async ({
  page,
  widget,
  demo,
}) => {
  await page.goto(`${demo.url}embed.html`);
  await page.getByRole('button', { name: 'Help' }).click();
  await expect(widget.input).toBeVisible();
  expect(await widget.ask('When are you open on Friday?')).toMatch(/16:00/);
});
