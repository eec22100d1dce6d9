/**
 * `tsx test/bench/screenshot.ts`: creates the README's screenshot from the demo (a teaser, a conversation, and a phone in Arabic), and
 * the picture of the values that an owner needs.
 */
import { fileURLToPath } from 'node:url';
import { launchBrowser } from '../support/browsers/chromium.ts';
import { startDemo, Widget } from '../support/pages/visit.ts';

const path = fileURLToPath(new URL('../../docs/screenshot.png', import.meta.url));
const valuesPath = fileURLToPath(new URL('../../docs/website-values.png', import.meta.url));
const [browser, demo] = await Promise.all([launchBrowser(), startDemo()]);
const height = 720;

interface Scene {
  language: 'en' | 'ar';
  colorScheme: 'light' | 'dark';
  width: number;
  /** The text beside the closed launcher, in place of a conversation. */
  teaser?: string;
  questions: readonly string[];
  isPhone?: boolean;
}

const scenes: readonly Scene[] = [
  {
    language: 'en',
    colorScheme: 'light',
    width: 480,
    teaser: 'Looking for a gift? We can help you choose.',
    questions: [],
  },
  {
    language: 'en',
    colorScheme: 'light',
    width: 480,
    questions: ['When are you open on Friday?', 'Where is my order 1042?'],
  },
  {
    language: 'ar',
    colorScheme: 'dark',
    width: 340,
    questions: ['متى تفتحون يوم الجمعة؟', 'هل تشحنون إلى دبي؟'],
    isPhone: true,
  },
];

const picture = async ({ language, colorScheme, width, teaser, questions }: Scene): Promise<Buffer> => {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    deviceScaleFactor: 1.5,
  });
  const page = await context.newPage();
  const widget = new Widget(page);
  await page.goto(`${demo.url}?lang=${language}`);
  if (teaser) {
    await page.evaluate(async (text) => {
      await customElements.whenDefined('workspace-chat');
      document.querySelector('workspace-chat')!.showTeaser(text);
    }, teaser);
    await page.locator('workspace-chat .teaser').waitFor();
    await page.waitForLoadState('networkidle');
  } else await widget.open();
  for (const question of questions) await widget.ask(question);
  // Keep the pointer and the focus ring out of the screenshot.
  await page.mouse.move(5, 5);
  await page.evaluate('document.activeElement.blur()');
  const image = await page.screenshot({ animations: 'disabled' });
  await context.close();
  return image;
};

const images: string[] = [];
for (const scene of scenes) {
  const image = await picture(scene);
  images.push(
    `<img class="${scene.isPhone ? 'phone' : ''}" width="${scene.width}" src="data:image/png;base64,${image.toString('base64')}">`,
  );
}

const gap = 20;
const frame = 8;
const width = scenes.reduce((sum, scene) => sum + scene.width + gap, gap) + 2 * frame;
const page = await browser.newPage({
  viewport: { width, height: height + 2 * (gap + frame) },
  deviceScaleFactor: 1.5,
});
await page.setContent(`<style>
  body { margin: 0; padding: ${gap}px; display: flex; gap: ${gap}px; align-items: center; background: #d9dde6 }
  img { border-radius: 12px; box-shadow: 0 8px 30px rgb(0 0 0 / 18%) }
  .phone { border: ${frame}px solid #111; border-radius: 32px }
</style>${images.join('')}`);
await page.screenshot({ path });

// Where an owner finds the values for the installer.
const team = await browser.newPage({ viewport: { width: 760, height }, deviceScaleFactor: 1.5 });
await team.goto(`${demo.url}team.html`);
await team.getByLabel('secret key').fill(demo.secretKey!);
await team.keyboard.press('Enter');
await team.getByRole('link', { name: 'Agents' }).click();
const panel = team.locator('article').first();
const address = panel.locator('.values code').first();
await address.evaluate((code) => {
  code.textContent = 'https://api.example/api/v2';
});
const end = await panel.getByRole('button', { name: 'Save the websites' }).boundingBox();
const { x, y, width: panelWidth } = (await panel.boundingBox())!;
const clip = { x, y, width: panelWidth, height: end!.y + end!.height + gap - y };
await team.screenshot({ path: valuesPath, clip, animations: 'disabled' });
await Promise.all([browser.close(), demo.close()]);
