/**
 * `npm run bench`: what streaming, restoring and appending cost the main thread, beside plain paragraphs, marked with
 * DOMPurify, and deep-chat, in one run. All are ratios worth reading; the milliseconds are this machine's.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright';
import { chromiumPath } from '../support/browser.ts';
import { buildCdn } from '../support/build.ts';
import { markdown } from './answers.ts';
import { serveBench } from './server.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
if (!existsSync(join(here, 'node_modules'))) {
  console.log('Installing what is compared with…');
  spawnSync('npm', ['install', '--silent'], { cwd: here, stdio: 'inherit' });
}

const own = await buildCdn();
const { port, close } = await serveBench(own.folder);

const browser: Browser = await chromium.launch({ executablePath: chromiumPath() });

interface Cost {
  /** Milliseconds of the main thread: scripts, styles, layout, painting. */
  task: number;
  wall: number;
  /** The longest task, in milliseconds, as far as it passes 50. */
  longest: number;
}

/** What one call in a fresh page costs. */
const measure = async (name: string, prepare: (page: Page) => Promise<void>, call: string): Promise<Cost> => {
  const context = await browser.newContext({ viewport: { width: 420, height: 800 } });
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${port}/${name}`);
  await page.waitForFunction('window.stream');
  await prepare(page);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable');
  const taskTime = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return metrics.find((metric) => metric.name === 'TaskDuration')!.value * 1000;
  };
  await page.evaluate(`
    window.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
    }).observe({ type: 'longtask' });
  `);
  const before = await taskTime();
  const wall = await page.evaluate<number>(
    `(async () => { const t = performance.now(); await ${call}; return performance.now() - t })()`,
  );
  const task = (await taskTime()) - before;
  const longest = await page.evaluate<number>('window.longest');
  await context.close();
  return { task, wall, longest };
};

const median = (numbers: number[]): number => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

/** The median of three runs: a machine has moods. */
const repeat = async (run: () => Promise<Cost>): Promise<Cost> => {
  const costs = [await run(), await run(), await run()];
  const of = (key: keyof Cost) => median(costs.map((cost) => cost[key]));
  return { task: of('task'), wall: of('wall'), longest: of('longest') };
};

const none = async () => {};
const rows: string[][] = [];
const row = (what: string, { task, wall, longest }: Cost, ratio: string): void => {
  const cells = [what, task.toFixed(0), wall.toFixed(0), longest > 50 ? longest.toFixed(0) : '–', ratio];
  rows.push(cells);
  console.log(cells.map((cell, index) => (index === 0 ? cell.padEnd(46) : cell.padStart(10))).join(''));
};

console.log(
  ['', 'task ms', 'wall ms', 'longest', 'ratio'].map((cell, i) => (i ? cell.padStart(10) : cell.padEnd(46))).join(''),
);

const length = 32_000;
const plain = await repeat(() => measure('plain', none, `window.stream(${length})`));
row(`stream ${length} characters: plain paragraphs`, plain, '1');
const ratioTo = (base: Cost, cost: Cost) => (cost.task / base.task).toFixed(2);
const opened = (page: Page) => page.evaluate<void>('window.stream(10)');
const streamed = await repeat(() => measure('own', opened, `window.stream(${length})`));
row('  workspace-chat', streamed, ratioTo(plain, streamed));
for (const name of process.argv.includes('--own') ? [] : ['marked', 'deep-chat']) {
  // One run: they take so long that a mood does not matter.
  const cost = await measure(name, none, `window.stream(${name === 'marked' ? length : length / 4})`);
  row(
    `  ${name}${name === 'marked' ? ' + DOMPurify' : `, ${length / 4} characters alone`}`,
    cost,
    ratioTo(plain, cost),
  );
}

const history = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    role: index % 2 ? 'assistant' : 'user',
    text: index % 2 ? markdown(300) : `Question number ${index}?`,
  }));

/** Leaves a conversation of `count` messages in the page's storage, as the widget itself would have. */
const store = (count: number) => async (page: Page) => {
  const messages = history(count).map(({ role, text }, index) =>
    role === 'user'
      ? { role, key: `k${index}`, text, at: Date.now(), delivery: 'confirmed' }
      : {
          role,
          key: `k${index}`,
          id: `m${index}`,
          text,
          at: Date.now(),
          actor: 'ai',
          ending: 'whole',
          sources: [],
          blocks: [],
          tools: [],
          outcome: null,
          refused: false,
          limit: null,
          degraded: false,
        },
  );
  const record = {
    version: 1,
    revision: 1,
    startedAt: Date.now(),
    conversationId: 'c',
    conversationToken: 't',
    owner: null,
    state: 'ai_active',
    messages,
    draft: '',
    unread: 0,
    submitted: {},
    calls: [],
  };
  await page.evaluate(
    ([value, key]) =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.open('workspace-chat');
        request.onupgradeneeded = () => request.result.createObjectStore('conversations');
        request.onerror = () => reject(request.error);
        request.onsuccess = () => {
          const transaction = request.result.transaction('conversations', 'readwrite');
          transaction.objectStore('conversations').put(value, key);
          transaction.oncomplete = () => {
            request.result.close();
            resolve();
          };
        };
      }),
    [record, `http://127.0.0.1:${port}/api/v2 svc_pk_bench a`] as const,
  );
};

const restoreDeepChat = await repeat(() =>
  measure('deep-chat', none, `window.restore(${JSON.stringify(history(1_000))})`),
);
row('restore 1,000 messages: deep-chat', restoreDeepChat, '1');
for (const count of [50, 1_000]) {
  const cost = await repeat(() => measure('own', store(count), 'window.restore()'));
  row(`  workspace-chat, ${count}, newest screen painted`, cost, (cost.wall / restoreDeepChat.wall).toFixed(2));
}
const whole = await repeat(() => measure('own', store(1_000), 'window.restore().then(() => window.settled(1000))'));
row('  workspace-chat, 1000, every message there', whole, (whole.wall / restoreDeepChat.wall).toFixed(2));

const mounted = (count: number) => async (page: Page) => {
  if (count > 0) await store(count)(page);
  await page.evaluate(count > 0 ? `window.restore().then(() => window.settled(${count}))` : 'window.stream(10)');
  await page.waitForTimeout(300);
};
const appendEmpty = await repeat(() => measure('own', mounted(0), 'window.stream(1000)'));
row('append an answer of 1,000 characters: empty', appendEmpty, '1');
const appendFull = await repeat(() => measure('own', mounted(1_000), 'window.stream(1000)'));
row('  after 1,000 messages', appendFull, ratioTo(appendEmpty, appendFull));

await browser.close();
await close();
await own.remove();
