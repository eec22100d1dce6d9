/**
 * `npm run bench`: measures the widget beside other widgets and a page without one, in one run. It prints the results and
 * writes `docs/figures.md`. `-- --runs=1` is quick and rough.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from '../support/browsers/chromium.ts';
import { buildCdn } from '../support/servers/built-widget.ts';
import { Visit, type Asked } from './measure.ts';
import { deepChat, own, ownInline, peers, plain, widgets, type Peer } from './peers.ts';
import { median, Report, type Value } from './report.ts';
import { serveBench } from './server.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
if (!existsSync(join(here, 'node_modules/flowise-embed'))) {
  console.log('Installing what is compared with…');
  spawnSync('npm', ['ci', '--silent', '--ignore-scripts'], { cwd: here, stdio: 'inherit' });
}

const started = performance.now();
const runs = Number(process.argv.find((argument) => argument.startsWith('--runs='))?.slice(7) ?? 5);
const widget = await buildCdn();
const server = await serveBench(widget.folder);
const browser = await launchBrowser();
const report = new Report(peers.map(({ name }) => name));

type Options = Parameters<typeof Visit.start>[3];

/** Returns the median of several visits to each page. Failed visits are reported and left out. */
const compare = async <Key extends string>(
  list: Peer[],
  measure: (visit: Visit) => Promise<Record<Key, number>>,
  { times = runs, ...options }: Options & { times?: number } = {},
): Promise<(key: Key, scale?: number) => Map<string, Value>> => {
  const found = new Map<string, Record<Key, number>[]>();
  for (let time = 0; time < times; time++) {
    for (const peer of list) {
      const visit = await Visit.start(browser, server, peer, options);
      try {
        found.set(peer.name, [...(found.get(peer.name) ?? []), await measure(visit)]);
      } catch (error) {
        console.log(`${peer.name}: ${String(error).split('\n')[0]}`);
      } finally {
        await visit.close();
      }
    }
  }
  return (key, scale = 1) =>
    new Map([...found].map(([name, all]) => [name, median(all.map((values) => values[key])) * scale]));
};

const ratio = (values: Map<string, Value>, base: Peer): Value => {
  const [value, other] = [values.get(own.name), values.get(base.name)];
  return value != null && other != null ? value / other : null;
};
const ofOwn = (values: Map<string, Value>): Value => values.get(own.name) ?? null;

/** Compresses the files before anything is measured. */
await compare(peers, async (visit) => ({ usable: (await visit.open()).usable }), { times: 1 });

const kibibyte = 1 / 1024;
const sizes = await compare(
  widgets,
  async (visit) => {
    const { visibleBytes, usableBytes } = await visit.open();
    await visit.ask(200);
    return { visible: visibleBytes, usable: usableBytes, answered: await visit.bytes() };
  },
  { times: 1 },
);
report.add('size until visible, KiB', sizes('visible', kibibyte), 1);
report.add('size until usable, KiB', sizes('usable', kibibyte), 1);
report.add('size through the first reply, KiB', sizes('answered', kibibyte), 1);
report.judge('size until visible', ofOwn(sizes('visible', kibibyte)), 12, ' KiB');
report.judge('size through the first answer', ofOwn(sizes('answered', kibibyte)), 48, ' KiB');

for (const [where, options] of [
  ['', {}],
  [', slower processor', { slowdown: 4 }],
  [', phone', { slowdown: 4, isFar: true }],
] as const) {
  const opened = await compare([...widgets, ownInline], (visit) => visit.open(), options);
  const inPage = (values: Map<string, Value>) =>
    new Map([own, deepChat].map(({ name }) => [name, values.get(name === own.name ? ownInline.name : name) ?? null]));
  report.add(`visible after, ms${where}`, opened('visible'));
  report.add(`usable after, ms${where}`, opened('usable'));
  report.add(`usable without a click, ms${where}`, inPage(opened('usable')));
  report.add(`blocking until usable, ms${where}`, opened('blocking'));
  if (!where) report.judge('blocking until usable', ofOwn(opened('blocking')), 0, ' ms');
  if (where === ', slower processor') {
    report.judge(`usable${where}, beside deep-chat`, ratio(opened('usable'), deepChat), 0.76, '×');
    report.judge('the same without a click', ratio(inPage(opened('usable')), deepChat), 0.76, '×');
  }
}

const asked =
  (length: number, pace?: number) =>
  async (visit: Visit): Promise<Record<keyof Asked, number>> => {
    await visit.open();
    await visit.ask(10);
    await visit.settle();
    return { ...(await visit.ask(length, pace)) };
  };

for (const [length, list] of [
  [8_000, peers],
  [32_000, [own, plain]],
] as const) {
  const streamed = await compare([...list], asked(length));
  report.add(`stream ${length} characters, work in ms`, streamed('task'));
  report.add(`stream ${length} characters, longest task in ms`, streamed('longest'));
  if (length < 32_000) continue;
  report.judge('stream 32,000 characters, beside plain paragraphs', ratio(streamed('task'), plain), 2, '×');
  report.judge('stream 32,000 characters, longest task', ofOwn(streamed('longest')), 50, ' ms');
}

for (const length of [1_000, 8_000, 32_000]) {
  // Widgets that are slow at 8,000 characters would take minutes for four times as many.
  const list = length > 8_000 ? [own, deepChat, plain] : peers;
  const paced = await compare(list, asked(length, 8), { times: Math.min(runs, 3) });
  report.add(`last byte to last of ${length} characters, ms`, paced('lag'));
  report.judge(`last byte to last of ${length} characters`, ofOwn(paced('lag')), 50, ' ms');
  if (length !== 8_000) continue;
  report.add('missed frames at 8,000 characters, %', paced('missed', 100), 1);
  report.judge('missed frames at 8,000 characters', ofOwn(paced('missed', 100)), 2, ' %');
}

const storing = peers.filter(({ restores }) => restores);
const history = 1_000;
const restored = await compare(
  storing,
  async (visit) => {
    const [, times] = await Promise.all([visit.open(), visit.restored()]);
    return times;
  },
  { history },
);
report.add('restore 1,000 messages, newest there, ms', restored('newest'));
report.add('restore 1,000 messages, all there, ms', restored('whole'));
report.judge('restore 1,000 messages, beside deep-chat', ratio(restored('newest'), deepChat), 0.6, '×');

/** Returns the median of nine measurements, each in a page that is idle before. */
const append = async (visit: Visit, hasHistory: boolean) => {
  await visit.open();
  if (hasHistory) await visit.restored();
  const costs: number[] = [];
  for (let time = 0; time < 10; time++) {
    await visit.settle();
    costs.push((await visit.ask(1_000)).task);
  }
  // The first measurement warms up the page.
  return { task: median(costs.slice(1)) };
};
const times = Math.min(runs, 3);
const toEmpty = await compare([own, deepChat], (visit) => append(visit, false), { times });
const toFull = await compare([own, deepChat], (visit) => append(visit, true), { times, history });
report.add('append to an empty transcript, work in ms', toEmpty('task'), 1);
report.add('append to 1,000 messages, work in ms', toFull('task'), 1);
const [empty, full] = [ofOwn(toEmpty('task')), ofOwn(toFull('task'))];
report.judge('append to 1,000 messages, beside an empty transcript', empty && full && full / empty, 1.3, '×');

const version = browser.version();
await browser.close();
await server.close();
await widget.remove();

const markdown = execFileSync('npx', ['tsx', join(here, 'markdown.ts')], { encoding: 'utf8' }).trim();
console.log(`\n${report.targets.join('\n')}\n\n${markdown}`);
const seconds = (performance.now() - started) / 1000;
await report.write(new URL('../../docs/figures.md', import.meta.url), { browser: version, runs, seconds, markdown });
