/**
 * `npm run bench:pictures`: shows this widget beside others, with their own defaults, in one picture for each state. The
 * pictures of a reply are part of `docs/figures.md`, and the others are in `test/screenshots/side-by-side`.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import type { FormBlock } from '../../contract/wire.ts';
import { launchBrowser } from '../support/browsers/chromium.ts';
import { installPackages, packagesOf } from '../support/packages-of.ts';
import { buildCdn, makeFolder } from '../support/servers/built-widget.ts';
import { carbon, deepChat, n8n, own, type Peer } from './peers.ts';
import { fastest, serveBench, type NextReply } from './server.ts';

installPackages('bench');

const shown: Peer[] = [own, deepChat, carbon, n8n];

interface State {
  /** The visitor's message, or nothing for an empty conversation. */
  question?: string;
  /** The reply, or nothing when the service fails. */
  reply?: Partial<NextReply>;
  /** A part of the reply's end. */
  until?: string;
  isPhone?: boolean;
  isDark?: boolean;
  language?: 'ar';
  /** Where a peer has no such thing. */
  notes?: Record<string, string>;
}

const table = `We are open **Saturday to Thursday**:

| Day | Morning | Evening |
|---|---|---|
| Saturday | 10:00–14:00 | 16:00–20:00 |
| Thursday | 10:00–14:00 | closed |

Anything else?`;

const arabicTable = `نفتح **من السبت إلى الخميس** حتى 8:00 م. رقم الطلب ORD-1042، والسعر 12.500 ر.ع.

| اليوم | صباحًا | مساءً |
|---|---|---|
| السبت | 10:00–14:00 | 16:00–20:00 |
| الخميس | 10:00–14:00 | مغلق |

هل من شيء آخر؟`;

const form: FormBlock = {
  type: 'form',
  title: 'Your custom order',
  submit_label: 'Send the request',
  fields: [
    { key: 'name', label_en: 'Name', label_ar: 'الاسم', kind: 'text', options: [], required: true },
    { key: 'phone', label_en: 'Phone', label_ar: 'الهاتف', kind: 'phone', options: [], required: true },
  ],
};

const openingHours: State = { question: 'When are you open?', reply: { ending: table }, until: 'Anything else?' };

const states: Record<string, State> = {
  desktop: openingHours,
  phone: { ...openingHours, isPhone: true },
  empty: {},
  form: {
    question: 'I want a bowl of my own',
    reply: { ending: 'Gladly. Tell us a little about it:', blocks: [form] },
    until: 'Tell us a little',
    notes: {
      [deepChat.name]: 'has no form (the service sends HTML)',
      [carbon.name]: 'has no form (the page renders its own element)',
      [n8n.name]: 'has no form',
    },
  },
  failure: { question: 'When are you open?' },
  dark: {
    ...openingHours,
    isDark: true,
    notes: { [deepChat.name]: 'has no dark colors of its own', [n8n.name]: 'has no dark colors of its own' },
  },
  arabic: {
    question: 'متى تفتحون؟',
    reply: { ending: arabicTable },
    until: 'هل من شيء آخر؟',
    language: 'ar',
    notes: { [deepChat.name]: 'has no Arabic texts', [n8n.name]: 'has no Arabic texts' },
  },
};

const bundleCarbon = async (folder: string): Promise<void> => {
  const entry = join(packagesOf('bench'), '@carbon/ai-chat/dist/es/web-components/cds-aichat-container/index.js');
  await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { outDir: folder, lib: { entry: { carbon: entry }, formats: ['es'] } },
  });
};

const [widget, bundle] = [await buildCdn(), await makeFolder()];
await bundleCarbon(bundle.folder);
const server = await serveBench({ own: widget.folder, carbon: bundle.folder });
const browser = await launchBrowser();

const picture = async (peer: Peer, state: State, viewport: { width: number; height: number }): Promise<Buffer> => {
  const { question, reply, until, isDark, language } = state;
  const context = await browser.newContext({
    viewport,
    reducedMotion: 'reduce',
    colorScheme: isDark ? 'dark' : 'light',
    locale: language === 'ar' ? 'ar-OM' : 'en-GB',
  });
  const page = await context.newPage();
  server.language = language ?? 'en';
  server.fault = reply || !question ? null : (response) => void response.writeHead(500).end();
  server.next = { length: 0, ending: '', ...fastest, ...reply };
  // Large scripts are compressed for the first page.
  await page.goto(`${server.url}/${encodeURIComponent(peer.name)}`, { timeout: 120_000 });
  // The page opens the chat itself. n8n's launcher sometimes ignores the first click.
  const field = page.locator(`${peer.host ?? 'body'} :is(${peer.field})`).first();
  await field.waitFor({ timeout: 10_000 }).catch(() => page.locator(peer.launcher!).click());
  await field.waitFor();
  await page.waitForLoadState('networkidle');
  if (question) {
    await field.click();
    await page.keyboard.type(question);
    await page.keyboard.press('Enter');
  }
  if (until) await page.getByText(until).last().waitFor();
  await page.waitForLoadState('networkidle');
  // The peers have animations that reduced motion does not stop, and retry what has failed.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const image = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  await context.close();
  return image;
};

const others = fileURLToPath(new URL('../screenshots/side-by-side', import.meta.url));
await mkdir(others, { recursive: true });
const docs = fileURLToPath(new URL('../../docs', import.meta.url));

for (const [name, state] of Object.entries(states)) {
  const viewport = { width: state.isPhone ? 360 : 480, height: 760 };
  const cells: string[] = [];
  for (const peer of shown) {
    const image = await picture(peer, state, viewport);
    const note = state.notes?.[peer.name];
    cells.push(`<figure style="margin:0"><img width="${viewport.width}" src="data:image/png;base64,${image.toString('base64')}">
      <figcaption style="font:16px sans-serif;text-align:center;padding:8px">${note ? `${peer.name} ${note}` : peer.name}</figcaption></figure>`);
  }
  const page = await browser.newPage({
    viewport: { width: (viewport.width + 16) * shown.length + 16, height: viewport.height + 60 },
  });
  await page.setContent(`<body style="margin:16px;display:flex;gap:16px;background:#ddd">${cells.join('')}</body>`);
  const isInDocs = state === openingHours || state.isPhone;
  const path = isInDocs ? join(docs, `side-by-side-${name}.png`) : join(others, `${name}.png`);
  await page.screenshot({ path });
  await page.close();
}
await Promise.all([browser.close(), server.close(), widget.remove(), bundle.remove()]);
