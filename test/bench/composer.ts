/**
 * `npm run bench:composer`: the time that the browser needs for a long text in the composer, beside a plain textarea of the
 * same size in the same page. Pasting and typing should take at most twice as long.
 */
import { launchBrowser } from '../support/browsers/chromium.ts';
import { buildCdn } from '../support/servers/built-widget.ts';
import { Visit } from './measure.ts';
import { own } from './peers.ts';
import { median } from './report.ts';
import { serveBench } from './server.ts';

const lengths = [10_000, 300_000, 1_000_000];
const times = 3;

const widget = await buildCdn();
const server = await serveBench(widget.folder);
const browser = await launchBrowser();

/** Milliseconds to paste a text into a field, and to type one key after it, until each is painted. */
interface Timing {
  paste: number;
  key: number;
}

const measure = async (field: 'composer' | 'textarea', length: number): Promise<Timing> => {
  const visit = await Visit.start(browser, server, own);
  try {
    await visit.open();
    const page = browser.contexts().at(-1)!.pages().at(-1)!;
    return await page.evaluate(
      async ({ name, size }) => {
        const composer = document.querySelector('workspace-chat')!.shadowRoot!.querySelector('textarea')!;
        const plain = document.createElement('textarea');
        const { width, height, font } = getComputedStyle(composer);
        plain.style.cssText = `position:fixed;inset-block-start:0;width:${width};height:${height};font:${font}`;
        if (name === 'textarea') document.body.append(plain);
        const target = name === 'textarea' ? plain : composer;
        target.focus();
        const paint = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        const insert = async (text: string) => {
          await paint();
          const began = performance.now();
          document.execCommand('insertText', false, text);
          await paint();
          return performance.now() - began;
        };
        const paste = await insert('Some words. '.repeat(Math.ceil(size / 12)).slice(0, size));
        return { paste, key: await insert('x') };
      },
      { name: field, size: length },
    );
  } finally {
    await visit.close();
  }
};

console.log('length     field     paste ms  key ms  ratio of paste, of key');
for (const length of lengths) {
  const found: Record<'composer' | 'textarea', Timing[]> = { composer: [], textarea: [] };
  for (let time = 0; time < times; time++) {
    for (const field of ['composer', 'textarea'] as const) found[field].push(await measure(field, length));
  }
  const of = (field: 'composer' | 'textarea', key: keyof Timing) =>
    median(found[field].map((timing) => timing[key])) ?? 0;
  const ratio = (key: keyof Timing) => (of('composer', key) / of('textarea', key)).toFixed(2);
  for (const field of ['composer', 'textarea'] as const) {
    const ratios = field === 'composer' ? `${ratio('paste')}, ${ratio('key')} (at most 2)` : '';
    console.log(
      [
        length.toLocaleString('en').padEnd(10),
        field.padEnd(9),
        of(field, 'paste').toFixed(0).padStart(8),
        of(field, 'key').toFixed(0).padStart(7),
      ].join(' '),
      ratios,
    );
  }
}

await browser.close();
await server.close();
await widget.remove();
