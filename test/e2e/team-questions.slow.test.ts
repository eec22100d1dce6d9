import { accessibilityViolations } from '../support/pages/axe.ts';
import { expect, it } from '../support/fixtures.ts';
import { callDemo, openTeamPage } from '../support/pages/team-page.ts';
import { startDemo, type TestDemo } from '../support/pages/visit.ts';

it.describe('the questions without an answer on the team’s page', () => {
  let demo: TestDemo;

  it.beforeAll(async () => {
    demo = await startDemo();
  });
  it.afterAll(() => demo?.close());
  it.beforeEach(() => demo.moveClock(120_000));

  const ask = async (content: string, more: object = {}) => {
    const body = { messages: [{ role: 'user', content }], ...more };
    return (await callDemo(demo, 'POST', `/agents/${demo.config.agentId}/chat`, body)).body;
  };

  it('adds a wording with one click, in English', async ({ page }) => {
    const wording = 'Is it OK to carry a puppy along?';
    await ask(wording);
    await openTeamPage(page, demo, 'unanswered');
    await expect(page.getByRole('heading', { level: 1, name: 'Questions without an answer' })).toBeVisible();
    const card = page.getByRole('article').filter({ hasText: wording });
    await expect(card.getByText('refused: 1')).toBeVisible();
    expect(await accessibilityViolations(page)).toEqual([]);
    await card.getByRole('button', { name: 'Add as a wording of this question' }).first().click();
    await expect(page.getByRole('status').filter({ hasText: 'The wording was added.' })).toBeVisible();
    await expect(card).toHaveCount(0);
    expect((await ask(wording)).refused).toBe(false);
  });

  it('opens a new question, and shows why a reply was given, in Arabic', async ({ page }) => {
    const question = 'هل تؤجرون الخيام؟';
    await ask(question);
    await openTeamPage(page, demo, 'unanswered');
    await page.getByRole('button', { name: 'العربية' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'أسئلة بلا رد' })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    const card = page.getByRole('article').filter({ hasText: question });
    await card.getByText('كتابة رد').click();
    await card.getByLabel('الرد', { exact: true }).fill('لا، لكن المخيم المجاور يؤجر الخيام.');
    await card.getByRole('button', { name: 'إضافة السؤال' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'أُضيف السؤال.' })).toBeVisible();
    await expect(card).toHaveCount(0);
    const reply = await ask(question);
    expect(reply.message.content).toContain('المخيم المجاور');

    await page.getByRole('link', { name: 'الوارد' }).click();
    const { conversation_id } = await ask('هل توصلون إلى دبي؟');
    expect((await ask('أريد التحدث مع موظف', { conversation_id })).outcome).toBe('handoff');
    await page.locator('#tickets').getByRole('button').first().click();
    await page.getByText('سبب هذا الرد').first().click();
    await expect(page.getByText('الدرجة المطلوبة').first()).toBeVisible();
    await expect(page.getByText('مستخدمة').first()).toBeVisible();
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});
