/**
 * Counts what a visitor downloads: a page with the chat is loaded in a browser, opened, and used for a first conversation with a
 * table, code, a link, numbers, a source, a form, a tool with consent, a wait, a failure and an Arabic reply.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Page } from 'playwright';
import { launchBrowser } from '../test/support/browsers/chromium.ts';

/** The files that were requested until a moment, by their names, with their sizes in bytes (brotli). */
export type Downloads = ReadonlyMap<string, number>;

export interface MeasuredVisit {
  /** Five seconds after the load, without a click. */
  loaded: Downloads;
  /** When the visitor can type. */
  usable: Downloads;
  conversation: Downloads;
}

/** The name of a file, with the hash of its content. */
const hashedName = /([\w-]*)-[0-9a-f]{6}(?=\.js\b)/;

/** How many names of the files are tried. */
const trials = 9;

/**
 * Returns the size of a file in bytes (brotli): the median over other hashes in the names of the files that it loads. By chance,
 * one name can make it 100 bytes larger than another, so a change of one file would break the budget of the next.
 */
export const downloadSize = (content: Buffer): number => {
  const text = content.toString();
  if (!hashedName.test(text)) return brotliCompressSync(content).length;
  const sizeWith = (trial: number): number => {
    const hashOf = (name: string) => createHash('sha256').update(`${name}${trial}`).digest('hex').slice(0, 6);
    const renamed = text.replace(new RegExp(hashedName, 'g'), (_, name: string) => `${name}-${hashOf(name)}`);
    return brotliCompressSync(renamed).length;
  };
  const sizes = Array.from({ length: trials }, (_, trial) => sizeWith(trial));
  return sizes.sort((one, other) => one - other)[(trials - 1) / 2]!;
};

type Reply = (response: ServerResponse, exchange: Exchange) => void | Promise<void>;

interface Exchange {
  /** Resolves when the page has posted the result of a tool. */
  toolResult: Promise<void>;
}

const credentials = { conversation_id: 'cnv_1', conversation_token: 'tok_1' };

const send = (response: ServerResponse, name: string, data: unknown) =>
  response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);

const begin = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' });

let replies = 0;

/** @param more Fields of the message. */
const end = (response: ServerResponse, content: string, fields: object = {}, more: object = {}) => {
  const message = { id: `msg_${++replies}`, role: 'assistant', content, ...more };
  send(response, 'done', {
    ...credentials,
    message,
    outcome: 'answered',
    refused: false,
    sources: [],
    state: 'ai_active',
    lead_captured: false,
    limit: null,
    degraded: false,
    ...fields,
  });
  response.end();
};

const reply =
  (content: string, fields: object = {}, more: object = {}): Reply =>
  (response) => {
    begin(response);
    send(response, 'delta', { text: content });
    end(response, content, fields, more);
  };

const refuse =
  (status: number, code: string, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { code, message: code, request_id: 'req_1' } }));
  };

const rich = `**Opening hours** in our [shop](https://shop.example), call +968 9212 3456 before 18:00 [1]:

| Day | Hours |
| --- | --- |
| Sunday | 9:00 |

\`\`\`js
const open = true;
\`\`\``;

const form = {
  type: 'form',
  title: 'Contact',
  fields: [
    { key: 'name', label_en: 'Name', label_ar: 'الاسم', kind: 'text', options: [], required: true },
    { key: 'email', label_en: 'E-mail', label_ar: 'البريد', kind: 'email', options: [], required: false },
  ],
};

/** The service's responses to the messages of the conversation, in order. */
const script: Reply[] = [
  reply(rich, { sources: [{ file_id: 'file_1', filename: 'hours.md', title: 'Opening hours' }] }),
  reply('Please fill in this form.', {}, { blocks: [form] }),
  reply('Thank you.'),
  async (response, { toolResult }) => {
    begin(response);
    const call = { call_id: 'call_1', name: 'look_up', arguments: {}, timeout_ms: 30_000, ...credentials };
    send(response, 'client_tool', call);
    await toolResult;
    end(response, 'Your order was shipped.');
  },
  refuse(429, 'rate_limited', { 'retry-after': '1' }),
  reply('It was worth the wait.'),
  refuse(500, 'internal_error'),
  reply('It arrived this time.'),
  reply('نفتح عند الساعة **التاسعة**.', {}, { lang: 'ar' }),
];

const types: Record<string, string> = { '.js': 'text/javascript', '.html': 'text/html; charset=utf-8' };

/** Serves the pages and the files of a folder, and responds to the calls of the chat. */
const serve = async (folder: string, page: string) => {
  const sizes = new Map<string, number>();
  let resolveTool = () => {};
  const toolResult = new Promise<void>((resolve) => {
    resolveTool = resolve;
  });
  let next = 0;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url!, 'http://site');
    if (pathname.endsWith('/chat/tool-results')) {
      resolveTool();
      return void response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    }
    if (pathname.endsWith('/chat')) return script[next++]!(response, { toolResult });
    if (pathname === '/') return void response.writeHead(200, { 'content-type': types['.html'] }).end(page);
    const type = types[extname(pathname)];
    if (!type) return void response.writeHead(204).end();
    const content = await readFile(join(folder, pathname));
    const bytes = brotliCompressSync(content);
    sizes.set(pathname.slice(1), downloadSize(content));
    response.writeHead(200, { 'content-type': type, 'content-encoding': 'br' }).end(bytes);
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    downloads: (): Downloads => new Map(sizes),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

const converse = async (page: Page): Promise<void> => {
  const input = page.getByRole('textbox', { name: 'Message' });
  const write = async (text: string) => {
    await page.waitForFunction("!document.querySelector('workspace-chat').busy");
    await input.fill(text);
    await input.press('Enter');
  };
  const ask = async (text: string, expected: string) => {
    await write(text);
    await page.getByText(expected).last().waitFor();
  };
  // A text, because the compiler of this script would add a call of its own helper to a function.
  await page.evaluate(`document.querySelector('workspace-chat').registerTool({
    name: 'look_up', title: 'Order status', confirm: true, run() { return { status: 'shipped' } },
  })`);
  await ask('When are you open?', 'Opening hours');
  await page.locator('workspace-chat table').waitFor();
  await ask('I have a question', 'Please fill in this form.');
  await page.getByRole('textbox', { name: 'Name' }).fill('Salma');
  await page.locator('workspace-chat form button').click();
  await page.getByText('Thank you.').waitFor();
  await write('Where is my order?');
  const allow = page.getByRole('button', { name: 'Allow', exact: true });
  await allow.waitFor();
  // A new prompt ignores clicks for a moment: it may have appeared under the visitor's finger.
  await page.waitForTimeout(500);
  await allow.click();
  await page.getByText('Your order was shipped.').waitFor();
  await ask('Am I too fast?', 'It was worth the wait.');
  await write('Does this fail?');
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('It arrived this time.').waitFor();
  await ask('متى تفتحون؟', 'التاسعة');
};

/**
 * @param folder The files of the widget.
 * @param scripts The markup that loads the widget, and creates the element if the script tag does not.
 */
export const measureVisit = async (folder: string, scripts: string): Promise<MeasuredVisit> => {
  const html = `<!doctype html><html lang="en"><title>Shop</title><h1>Shop</h1>${scripts}</html>`;
  const server = await serve(folder, html);
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ locale: 'en-US' });
    await page.goto(server.url);
    await page.waitForTimeout(5_000);
    const loaded = server.downloads();
    await page.getByRole('button', { name: 'Open chat' }).click();
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    const usable = server.downloads();
    await converse(page);
    return { loaded, usable, conversation: server.downloads() };
  } finally {
    await browser.close();
    server.close();
  }
};
