/** The time that the browser needs for a long text in the composer, beside a plain textarea. */
import type { Browser } from 'playwright';
import { Visit } from './measure.ts';
import { own } from './peers.ts';
import type { BenchServer } from './server.ts';

/** Milliseconds to paste a text into a field, and to type one key after it, until each is painted. */
interface Timing {
  paste: number;
  key: number;
}

/** Measures the widget's composer, or a plain textarea of the same size in the same page. */
export const timeField = async (
  browser: Browser,
  server: BenchServer,
  field: 'composer' | 'textarea',
  length: number,
): Promise<Timing> => {
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
