/** The languages that the files for a script tag load by themselves. */
import { expect, inLanguage, it, launcherOf } from './embed-fixtures.ts';

/** The doctor sends requests that the service rejects. */
const rejected = [/40[34] |422 /];

for (const [lang, file, label, direction] of [
  ['zh-CN', 'zh-Hans', '打开聊天', 'ltr'],
  ['ur', 'ur', 'چیٹ کھولیں', 'rtl'],
] as const)
  it(`a page in ${lang} has a launcher in the language before the chat is opened, and then a chat in it`, async ({
    visit,
    tag,
  }) => {
    const { page, requested } = await visit(inLanguage(lang) + tag());
    await expect(launcherOf(page)).toHaveAttribute('aria-label', label);
    expect(requested.filter((url) => /locales\//.test(url)).map((url) => url.replace(/.*\//, ''))).toEqual([
      `${file}.js`,
    ]);
    await launcherOf(page).click();
    const panel = page.locator('workspace-chat .panel');
    await expect(panel).toHaveAttribute('dir', direction);
    await expect(panel).toHaveAttribute('lang', lang);
    await expect(panel.locator('textarea')).toBeVisible();
  });

it('a page in English or Arabic loads no file of another language, also for a browser in that language', async ({
  visit,
  tag,
}) => {
  for (const [lang, locale] of [
    ['en', 'en'],
    ['en', 'fr-CA'],
    ['ar-OM', 'de'],
  ] as const) {
    const { page, requested } = await visit(inLanguage(lang) + tag('data-open="true"'), { context: { locale } });
    await expect(page.locator('workspace-chat textarea')).toBeVisible();
    expect(requested.filter((url) => /locales\//.test(url))).toEqual([]);
  }
});

it('the launcher and the panel stay on their side while a language that is written from right to left is loaded', async ({
  visit,
  tag,
}) => {
  const { page } = await visit(inLanguage('he') + tag(), {
    prepare: async (opened) => {
      await opened.addInitScript(`{
        window.sides = new Set();
        const watch = () => {
          for (const name of ['launcher-box', 'panel']) {
            const box = document.querySelector('workspace-chat')?.shadowRoot?.querySelector('.' + name);
            const { left, right, width } = box?.getBoundingClientRect() ?? { width: 0 };
            if (width > 0) sides.add(name + (left + right < innerWidth ? ' left' : ' right'));
          }
          requestAnimationFrame(watch);
        };
        watch();
      }`);
      await opened.route('**/locales/he.js', async (route) => {
        // The visitor opens the chat before the language has arrived.
        await launcherOf(opened).click();
        await opened.locator('workspace-chat textarea').waitFor();
        await route.continue();
      });
    },
  });
  await expect(launcherOf(page)).toHaveAttribute('aria-label', 'סגירת הצ׳אט');
  expect(await page.evaluate('[...sides].sort()')).toEqual(['launcher-box left', 'panel left']);
});

it('a page in a language without texts has an English chat, and the doctor names the language', async ({
  visit,
  tag,
}) => {
  const { page } = await visit(inLanguage('nb') + tag(), { allowedErrors: rejected });
  await expect(launcherOf(page)).toHaveAttribute('aria-label', 'Open chat');
  const report = await page.evaluate<{ isGood: boolean; findings: { code: string; message: string }[] }>(
    "WorkspaceChat('doctor')",
  );
  expect(report.findings.find(({ code }) => code === 'language_missing')?.message).toContain('“nb”');
});

it('a page in a further language is good for the doctor', async ({ visit, tag }) => {
  const { page } = await visit(inLanguage('de') + tag(), { allowedErrors: rejected });
  await expect(launcherOf(page)).toHaveAttribute('aria-label', 'Chat öffnen');
  const report = await page.evaluate<{ findings: { code: string }[] }>("WorkspaceChat('doctor')");
  expect(report.findings.map(({ code }) => code)).toContain('languages_ok');
});

it('the language follows the page, and English stays when a file cannot be loaded', async ({ visit, tag }) => {
  const { page } = await visit(inLanguage('it') + tag(), {
    prepare: (opened) => opened.route(/locales\/ko/, (route) => route.fulfill({ status: 404 })),
    allowedErrors: [/404/],
  });
  await expect(launcherOf(page)).toHaveAttribute('aria-label', 'Apri la chat');
  await page.evaluate("document.documentElement.lang = 'ko'");
  await expect(launcherOf(page)).toHaveAttribute('aria-label', 'Open chat');
  await page.evaluate("document.documentElement.lang = 'pl'");
  await expect(launcherOf(page)).toHaveAttribute('aria-label', 'Otwórz czat');
});
