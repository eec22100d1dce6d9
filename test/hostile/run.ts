/**
 * `npm run test:hostile`: places every payload in every position of the built widget, on a page with a strict policy, and
 * writes what was tried and found to docs/security.md. Fails when something was found.
 *
 * `--some` tries one payload in fifty, and writes nothing.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright';
import { writeFormatted } from '../../scripts/write-formatted.ts';
import { launchBrowser } from '../support/browsers/chromium.ts';
import { strictPolicy } from '../support/pages/strict-policy.ts';
import { sharedCdn, servePages } from '../support/servers/built-widget.ts';
import { HostilePage } from './hostile-page.ts';
import { HostileServer } from '../support/servers/hostile-server.ts';
import { loadPayloads, type Payload } from './payloads.ts';
import { otherPositions, positionNames, replyPositions } from './positions.ts';
import { tableOf, type Finding } from './report.ts';
import { violations, watchScript, type Watch } from './watch.ts';

const isShort = process.argv.includes('--some');
const batchSize = 20;

const take = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { watch: Watch }).watch.take());

/** Plants each violation, which must be found. A page is opened for each, because some cannot be undone. */
const checkWatch = async (open: () => Promise<HostilePage>): Promise<void> => {
  for (const [name, violate] of Object.entries(violations)) {
    const hostile = await open();
    const { page } = hostile;
    // Trusted Types reject some of them, and the policy reports that.
    await page.evaluate(violate).catch(() => {});
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    const found = [...(await take(page)), ...hostile.takeRequests()];
    if (found.length === 0) throw new Error(`The watch does not find ${name}.`);
    await page.close();
  }
};

const batchesOf = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / batchSize) }, (_, index) =>
    items.slice(index * batchSize, (index + 1) * batchSize),
  );

/** How the payloads of a batch get into their positions, and the positions of each step. */
const steps: readonly {
  positions: readonly string[];
  /** It needs a turn for each payload, so that it tries the smaller selection. See `Payload.isSelected`. */
  isSlow?: boolean;
  run(page: HostilePage, texts: string[], only?: string): Promise<void>;
}[] = [
  {
    positions: Object.keys(replyPositions),
    run: (page, texts, only) => page.reply(texts, only ? [only] : Object.keys(replyPositions)),
  },
  { positions: [otherPositions.person], run: (page, texts) => page.receive(texts) },
  { positions: [otherPositions.error], isSlow: true, run: (page, texts) => page.fail(texts) },
  { positions: [otherPositions.field], isSlow: true, run: (page, texts) => page.respond(texts) },
  { positions: [otherPositions.attribute], run: (page, texts) => page.setAttributes(texts) },
];

const server = new HostileServer();
await server.listen();
const built = await sharedCdn();
const site = await servePages(
  { '/': HostilePage.html(server.baseUrl) },
  { '/widget/': built.folder },
  { 'content-security-policy': strictPolicy(server.url) },
);
const browser = await launchBrowser();
const open = () => HostilePage.open(browser, server, site.url, watchScript);

const trials = new Map<string, Payload[]>(positionNames.map((position) => [position, []]));
const findings: Finding[] = [];

/** Tries the payloads of a batch in the positions of a step. Something that is found is traced to its payload and position. */
const tryBatch = async (page: HostilePage, all: readonly Payload[], step: (typeof steps)[number]): Promise<void> => {
  const batch = step.isSlow ? all.filter(({ isSelected }) => isSelected) : all;
  if (batch.length === 0) return;
  for (const position of step.positions) trials.get(position)!.push(...batch);
  const texts = batch.map(({ text }) => text);
  await step.run(page, texts);
  const found = [...(await take(page.page)), ...page.takeRequests()];
  await page.reset();
  if (found.length === 0) return;
  let isTraced = false;
  for (const payload of batch) {
    for (const position of step.positions) {
      await step.run(page, [payload.text], position);
      const alone = [...(await take(page.page)), ...page.takeRequests()];
      await page.reset();
      if (alone.length === 0) continue;
      isTraced = true;
      findings.push({ position, payload, found: alone });
    }
  }
  // Only several payloads together have the effect.
  if (!isTraced) findings.push({ position: step.positions[0]!, payload: batch[0]!, found });
};

try {
  await checkWatch(open);
  const all = await loadPayloads();
  const payloads = isShort ? all.filter((_, index) => index % 50 === 0) : all;
  console.log(`${payloads.length} payloads in ${positionNames.length} positions`);
  let count = 0;
  for (const batch of batchesOf(payloads)) {
    // A new page for each batch: what an earlier one has left behind could hide something.
    const page = await open();
    for (const step of steps) await tryBatch(page, batch, step);
    await page.page.close();
    count += batch.length;
    if (count % 500 < batchSize) console.log(`${count} payloads, ${findings.length} findings`);
  }
  for (const { position, payload, found } of findings)
    console.log(`${position} ← ${JSON.stringify(payload.text).slice(0, 200)}: ${found.join('; ')}`);
  if (!isShort) {
    const file = fileURLToPath(new URL('../../docs/security.md', import.meta.url));
    const text = await readFile(file, 'utf8');
    const section = /(?<=<!-- test:hostile -->\n)[\s\S]*?(?=<!-- \/test:hostile -->)/;
    if (!section.test(text)) throw new Error('docs/security.md has no place for the table.');
    writeFormatted(
      file,
      text.replace(section, () => tableOf(payloads, trials, findings)),
    );
  }
  const tried = [...trials.values()].flat().length;
  console.log(`${tried - findings.length} passed, ${findings.length} failed`);
  if (findings.length > 0) process.exitCode = 1;
} finally {
  await browser.close();
  await site.close();
  await server.close();
  await built.remove();
}
