/**
 * `npm run bench:composer`: the time that the browser needs for a long text in the composer, beside a plain textarea of the
 * same size in the same page. Pasting and typing should take at most twice as long.
 */
import { launchBrowser } from '../support/browsers/chromium.ts';
import { buildCdn } from '../support/servers/built-widget.ts';
import { timeField, type Timing } from './composer-timing.ts';
import { median } from './report.ts';
import { serveBench } from './server.ts';

const lengths = [10_000, 300_000, 1_000_000];
const times = 3;

const widget = await buildCdn();
const server = await serveBench({ own: widget.folder });
const browser = await launchBrowser();

console.log('length     field     paste ms  key ms  ratio of paste, of key');
for (const length of lengths) {
  const found: Record<'composer' | 'textarea', Timing[]> = { composer: [], textarea: [] };
  for (let time = 0; time < times; time++) {
    for (const field of ['composer', 'textarea'] as const)
      found[field].push(await timeField(browser, server, field, length));
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
