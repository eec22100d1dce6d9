/** `tsx test/bench/screenshot.ts`: creates the README's screenshot from the demo. */
import { fileURLToPath } from 'node:url';
import { launchBrowser } from '../support/browsers/chromium.ts';
import { startDemo, Widget } from '../support/pages/visit.ts';

const path = fileURLToPath(new URL('../../docs/screenshot.png', import.meta.url));
const [browser, demo] = await Promise.all([launchBrowser(), startDemo()]);
const width = 1280;
const height = 760;

const picture = async (language: string, colorScheme: 'light' | 'dark', questions: string[]): Promise<Buffer> => {
  const context = await browser.newContext({
    viewport: { width: width / 2, height },
    colorScheme,
    deviceScaleFactor: 1.5,
  });
  const page = await context.newPage();
  const widget = new Widget(page);
  await page.goto(`${demo.url}?lang=${language}`);
  await widget.open();
  for (const question of questions) await widget.ask(question);
  // Keep the pointer and the focus ring out of the screenshot.
  await page.mouse.move(5, 5);
  await page.evaluate('document.activeElement.blur()');
  const image = await page.screenshot({ animations: 'disabled' });
  await context.close();
  return image;
};

const [english, arabic] = [
  await picture('en', 'light', ['When are you open on Friday?', 'Where is my order 1042?']),
  await picture('ar', 'dark', ['متى تفتحون يوم الجمعة؟', 'هل تشحنون إلى دبي؟']),
];

const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor: 1.5 });
const image = (bytes: Buffer) => `<img width="${width / 2}" src="data:image/png;base64,${bytes.toString('base64')}">`;
await page.setContent(`<body style="margin:0;display:flex">${image(english)}${image(arabic)}</body>`);
await page.screenshot({ path });
await Promise.all([browser.close(), demo.close()]);
