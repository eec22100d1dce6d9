/**
 * `npm run bench`: measures the widget beside other widgets and a page without one, in one run. It prints the results and
 * writes `docs/figures.md`. Then it measures the service. `-- --runs=1` is quick and rough, `-- --widget` leaves out the service.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from '../support/browsers/chromium.ts';
import { installPackages } from '../support/packages-of.ts';
import { bundleNpm } from '../../scripts/bundles.ts';
import { buildCdn, makeFolder } from '../support/servers/built-widget.ts';
import { timeField } from './composer-timing.ts';
import { Visit, type Asked } from './measure.ts';
import {
  deepChat,
  flowise,
  n8n,
  own,
  ownInline,
  ownNpm,
  peers,
  plain,
  plainInPanel,
  widgets,
  type Peer,
} from './peers.ts';
import { median, Report, type Value } from './report.ts';
import { serveBench, type Speed } from './server.ts';
import { measureUnopened, type Cost } from './unopened.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
installPackages('bench');

const started = performance.now();
const runs = Number(process.argv.find((argument) => argument.startsWith('--runs='))?.slice(7) ?? 5);
const widget = await buildCdn();
const application = await makeFolder();
const server = await serveBench({ own: widget.folder, npm: await bundleNpm(application.folder) });
const browser = await launchBrowser();
const report = new Report(peers.map(({ name }) => name));

type Options = Parameters<typeof Visit.start>[3];

/** What is measured in each round. */
interface Trial<Key extends string> {
  name: string;
  peer: Peer;
  options?: Options;
  measure: (visit: Visit) => Promise<Record<Key, number>>;
}

/**
 * Returns the medians of several rounds. Each round starts with another trial, because the browser still closes the page of the
 * trial before. Failed visits are reported and left out.
 */
const tryAll = async <Key extends string>(
  trials: Trial<Key>[],
  times: number,
): Promise<(key: Key, scale?: number) => Map<string, Value>> => {
  const found = new Map<string, Record<Key, number>[]>();
  for (let time = 0; time < times; time++) {
    const start = time % trials.length;
    for (const { name, peer, options, measure } of [...trials.slice(start), ...trials.slice(0, start)]) {
      const visit = await Visit.start(browser, server, peer, options);
      try {
        found.set(name, [...(found.get(name) ?? []), await measure(visit)]);
      } catch (error) {
        console.log(`${name}: ${String(error).split('\n')[0]}`);
      } finally {
        await visit.close();
      }
    }
  }
  return (key, scale = 1) =>
    new Map([...found].map(([name, all]) => [name, median(all.map((values) => values[key])) * scale]));
};

/** Compares pages in the same measurement. */
const compare = <Key extends string>(
  list: Peer[],
  measure: Trial<Key>['measure'],
  { times = runs, ...options }: Options & { times?: number } = {},
) =>
  tryAll(
    list.map((peer) => ({ name: peer.name, peer, options, measure })),
    times,
  );

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
    return { visible: visibleBytes, usable: usableBytes, replied: await visit.bytes() };
  },
  { times: 1 },
);
report.add('size until visible, KiB', sizes('visible', kibibyte), 1);
report.add('size until usable, KiB', sizes('usable', kibibyte), 1);
report.add('size through the first reply, KiB', sizes('replied', kibibyte), 1);

for (const [where, slowdown] of [
  ['', 1],
  [', slower processor', 4],
] as const) {
  const costs = new Map<string, Cost[]>();
  for (let time = 0; time < runs; time++)
    for (const peer of [plain, ...widgets])
      costs.set(peer.name, [...(costs.get(peer.name) ?? []), await measureUnopened(browser, server, peer, slowdown)]);
  const unopened = (key: keyof Cost) =>
    new Map([...costs].map(([name, list]) => [name, median(list.map((cost) => cost[key]))]));
  report.add(`page without a click, work in ms${where}`, unopened('work'));
  report.judge(`page without a click, work${where}, beside deep-chat`, ratio(unopened('work'), deepChat), 1.1, '×');
  if (where) continue;
  report.add('page without a click, files', unopened('files'));
  report.add('page without a click, KiB', unopened('kibibytes'), 1);
  report.add('at rest, frames a second', unopened('frames'));
  report.judge('page without a click, files', ofOwn(unopened('files')), 4);
  report.judge('page without a click, KiB', ofOwn(unopened('kibibytes')), 66, ' KiB');
  report.judge('at rest, frames a second', ofOwn(unopened('frames')), 0);
}

const pages = [...widgets, ownInline, ownNpm];
for (const [where, rotations, options] of [
  ['', 1, {}],
  // What is judged takes tenths of a second, and varies by a tenth.
  [', slower processor', 3, { slowdown: 4 }],
  [', phone', 1, { slowdown: 4, isFar: true }],
] as const) {
  const times = runs < pages.length ? runs : rotations * pages.length;
  const opened = await compare(pages, (visit) => visit.open(), { ...options, times });
  const inPage = (values: Map<string, Value>) =>
    new Map([own, deepChat].map(({ name }) => [name, values.get(name === own.name ? ownInline.name : name) ?? null]));
  const fromNpm = (values: Map<string, Value>) => new Map([[own.name, values.get(ownNpm.name) ?? null]]);
  report.add(`visible after, ms${where}`, opened('visible'));
  report.add(`usable after, ms${where}`, opened('usable'));
  report.add(`usable from npm after, ms${where}`, fromNpm(opened('usable')));
  report.add(`usable without a click, ms${where}`, inPage(opened('usable')));
  report.add(`blocking until usable, ms${where}`, opened('blocking'));
  if (where === ', phone') report.judge('usable, phone, beside deep-chat', ratio(opened('usable'), deepChat), 1, '×');
  if (where !== ', slower processor') continue;
  report.judge(`visible${where}, beside deep-chat`, ratio(opened('visible'), deepChat), 0.6, '×');
  report.judge(`usable${where}, beside deep-chat`, ratio(opened('usable'), deepChat), 1.5, '×');
  report.judge(`the same without a click`, ratio(inPage(opened('usable')), deepChat), 1.1, '×');
  report.judge(`blocking until usable${where}`, ofOwn(opened('blocking')), 20, ' ms');
}

for (const [where, slowdown, limit] of [
  ['', 1, 20],
  [', slower processor', 4, 70],
] as const) {
  const warm = await compare([own, n8n, flowise], (visit) => visit.openLater(), { slowdown, isLater: true });
  report.add(`opened on a loaded page after, ms${where}`, warm('opened'));
  report.judge(`opened on a loaded page${where}`, ofOwn(warm('opened')), limit, ' ms');
}

const asked =
  (length: number, speed?: Speed) =>
  async (visit: Visit): Promise<Record<keyof Asked, number>> => {
    await visit.open();
    await visit.ask(10);
    await visit.settle();
    return { ...(await visit.ask(length, speed)) };
  };

// What a browser does once in a page, such as compiling functions and patterns, is part of the first reply only.
for (const [where, slowdown] of [
  ['', 1],
  [', slower processor', 4],
] as const) {
  const first = await compare(
    peers,
    async (visit) => {
      await visit.open();
      return { ...(await visit.ask(200)) };
    },
    { slowdown },
  );
  report.add(`first reply of 200 characters, work in ms${where}`, first('task'));
  report.add(`first reply of 200 characters, longest task in ms${where}`, first('longest'));
  report.judge(`first reply, work${where}, beside deep-chat`, ratio(first('task'), deepChat), 1, '×');
}

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

/** One delta each 2 ms, as fast as models write. */
const steady: Speed = { deltas: 1, pause: 2 };
const burst: Speed = { deltas: 100, pause: 10 };
for (const [what, length, speed, slowdown, limit] of [
  ['steady 8,000 characters', 8_000, steady, 1, 1.5],
  ['steady 8,000 characters, slower processor', 8_000, steady, 4, 1.5],
  ['bursts of 32,000 characters', 32_000, burst, 1, 2],
  ['bursts of 64,000 characters', 64_000, burst, 1, 2],
] as const) {
  const streamed = await compare([own, plain, plainInPanel], asked(length, speed), { slowdown });
  const inPanel = streamed('task').get(plainInPanel.name) ?? null;
  report.add(`${what}, work in ms`, streamed('task'));
  report.add(`${what}, plain paragraphs in the panel, work in ms`, new Map([[own.name, inPanel]]));
  report.judge(`${what}, beside plain paragraphs`, ratio(streamed('task'), plain), limit, '×');
}

for (const length of [1_000, 8_000, 32_000]) {
  // Widgets that are slow at 8,000 characters would take minutes for four times as many.
  const list = length > 8_000 ? [own, deepChat, plain] : peers;
  const paced = await compare(list, asked(length, { deltas: 8, pause: 8 }), { times: Math.min(runs, 3) });
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
    await visit.settle();
    return { ...times, ...(await visit.weigh()) };
  },
  { history },
);
report.add('restore 1,000 messages, newest there, ms', restored('newest'));
report.add('restore 1,000 messages, all there, ms', restored('whole'));
report.add('restore 1,000 messages, work in ms', restored('task'));
const floors = await tryAll<'task'>(
  [
    {
      name: 'two messages',
      peer: own,
      options: { history: 2 },
      measure: async (visit) => (await Promise.all([visit.restored(), visit.open()]))[0],
    },
    {
      name: 'elements alone',
      peer: own,
      options: { history },
      async measure(visit) {
        await Promise.all([visit.open(), visit.restored()]);
        await visit.settle();
        return { task: await visit.insertElements() };
      },
    },
  ],
  runs,
);
const floorOf = (name: string) => new Map([[own.name, floors('task').get(name) ?? null]]);
report.add('restore 2 messages, work in ms', floorOf('two messages'));
report.add('insert the finished elements of 1,000, work in ms', floorOf('elements alone'));
report.add('elements with 1,000 messages', restored('elements'));
report.add('script heap with 1,000 messages, KiB', restored('heap', kibibyte));
report.judge('restore 1,000 messages, newest, beside deep-chat', ratio(restored('newest'), deepChat), 0.6, '×');

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
const times = Math.min(runs, 5);
const appended = await tryAll(
  [own, deepChat].flatMap((peer) => [
    { name: `${peer.name}, empty`, peer, measure: (visit: Visit) => append(visit, false) },
    { name: `${peer.name}, full`, peer, options: { history }, measure: (visit: Visit) => append(visit, true) },
  ]),
  times,
);
const appendedTo = (state: string) =>
  new Map([own, deepChat].map(({ name }) => [name, appended('task').get(`${name}, ${state}`) ?? null]));
const [toEmpty, toFull] = [appendedTo('empty'), appendedTo('full')];
report.add('append to an empty transcript, work in ms', toEmpty, 1);
report.add('append to 1,000 messages, work in ms', toFull, 1);
const [empty, full] = [ofOwn(toEmpty), ofOwn(toFull)];
report.judge('append to 1,000 messages, beside an empty transcript', empty && full && full / empty, 1.5, '×');

for (const length of [300_000, 1_000_000]) {
  const found = { composer: [] as number[], textarea: [] as number[] };
  for (let time = 0; time < times; time++) {
    for (const field of ['composer', 'textarea'] as const) {
      const { paste, key } = await timeField(browser, server, field, length);
      found[field].push(paste + key);
    }
  }
  const [composer, textarea] = [median(found.composer), median(found.textarea)];
  report.add(`paste ${length} characters, then a key, ms`, new Map([[own.name, composer]]));
  report.judge(`paste ${length} characters, beside a textarea`, composer / textarea, 2, '×');
}

const version = browser.version();
await browser.close();
await server.close();
await widget.remove();
await application.remove();

const markdown = execFileSync('npx', ['tsx', join(here, 'markdown.ts')], { encoding: 'utf8' }).trim();
console.log(`\n${report.targets.join('\n')}\n\n${markdown}`);
const seconds = (performance.now() - started) / 1000;
await report.write(new URL('../../docs/figures.md', import.meta.url), { browser: version, runs, seconds, markdown });

if (!process.argv.includes('--widget')) await import('./service.ts');
