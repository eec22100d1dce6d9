/** A page with the widget, in which a step places payloads and waits until they are rendered. */
import type { Browser, Page } from 'playwright';
import '../../src/element.ts';
import type { HostileServer } from '../support/servers/hostile-server.ts';
import { started } from '../support/fakes/fake-service.ts';
import type { ServerCall } from '../support/servers/server-call.ts';
import { replyPositions, responseOf, tool } from './positions.ts';

/** Waits until the widget has rendered what has arrived. Runs in the page. */
const frames = async (): Promise<void> => {
  for (let count = 0; count < 3; count++)
    await new Promise((resolve) => {
      requestAnimationFrame(resolve);
    });
};

export class HostilePage {
  readonly page: Page;
  #requests: string[] = [];

  private constructor(page: Page, server: HostileServer, url: string) {
    this.page = page;
    const isKnown = (address: string) =>
      [url, server.url].some((known) => address.startsWith(`${known}/`)) || address.startsWith('data:font');
    page.on('request', (request) => {
      if (!isKnown(request.url())) this.#requests.push(`a request to ${request.url()}`);
    });
    page.on('dialog', (dialog) => {
      this.#requests.push(`a dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('popup', (popup) => this.#requests.push(`a window ${popup.url()}`));
    page.on('pageerror', (error) => this.#requests.push(`an uncaught error ${error.message}`));
    page.on('framenavigated', (frame) => this.#requests.push(`a navigation to ${frame.url()}`));
    server.onEvery({
      chat: (call) => this.#handle(call),
      toolResult: (call) => call.respond(200, 'application/json', '{}'),
    });
  }

  static html(baseUrl: string): string {
    return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title>
<script type="module" nonce="n" src="/widget/workspace-chat.js"></script>
<workspace-chat mode="inline" storage="memory" base-url="${baseUrl}" publishable-key="svc_pk_test" agent-id="agt_1"
 image-hosts="images.example" feedback></workspace-chat>`;
  }

  static async open(browser: Browser, server: HostileServer, url: string, watchScript: string): Promise<HostilePage> {
    const page = await browser.newPage({ viewport: { width: 800, height: 700 } });
    await page.addInitScript(watchScript);
    const hostile = new HostilePage(page, server, url);
    await page.goto(`${url}/`);
    await page.locator('workspace-chat textarea').waitFor();
    await page.evaluate((given) => {
      document.querySelector('workspace-chat')!.registerTool({ ...given, confirm: true, run: () => ({}) });
      (window as unknown as { watch: { take(): void } }).watch.take();
    }, tool);
    hostile.takeRequests();
    return hostile;
  }

  /** Returns what the browser reported since the last call. */
  takeRequests(): string[] {
    const taken = this.#requests;
    this.#requests = [];
    return taken;
  }

  /** Sends a message. Its reply carries all payloads in all of the positions, and is examined before and after its end. */
  async reply(texts: readonly string[], positions: readonly string[]): Promise<void> {
    const contents = texts.flatMap((text) => positions.map((position) => replyPositions[position]!(text)));
    const deltas = contents.flatMap((content) => content.texts ?? []);
    const sources = contents.flatMap((content) => content.sources ?? []);
    const blocks = contents.flatMap((content) => content.blocks ?? []);
    const calls = contents.flatMap((content) => content.calls ?? []);
    const arrived = new Promise<ServerCall>((resolve) => {
      this.#handle = (call) => {
        call.startStream();
        for (const delta of deltas) call.delta(delta);
        for (const toolCall of calls) call.event('client_tool', { conversation_id: 'cnv_1', ...toolCall });
        call.event('sources', { sources }).event('blocks', { blocks });
        resolve(call);
      };
    });
    const sending = this.page.evaluate(() => void document.querySelector('workspace-chat')!.send('Hi'));
    const call = await arrived;
    await this.page.evaluate(frames);
    const message = { id: 'msg_1', role: 'assistant', content: deltas.join('') || 'Hello', blocks };
    call.event('done', { ...started(), message, sources }).end();
    await sending;
    await this.#waitUntilIdle();
    if (texts.length > 1) await this.#expectCount('.blocks > *', texts.length * 5);
  }

  /** Receives each payload as a message of the team. */
  async receive(texts: readonly string[]): Promise<void> {
    this.#handle = (call) => call.startStream().delta('Hello').event('done', started()).end();
    await this.page.evaluate(() =>
      document
        .querySelector('workspace-chat')!
        .send('Hi')
        .then(() => {}),
    );
    await this.page.evaluate((given) => {
      for (const [index, text] of given.entries()) {
        document.querySelector('workspace-chat')!.receive({
          id: `team_${index}`,
          role: 'assistant',
          actor_type: 'owner',
          content: text,
          lang: text,
          created_at: text,
          author: { name: text, avatar: text },
          blocks: [{ type: text, title: text }],
        });
      }
    }, texts);
    await this.page.evaluate(frames);
    await this.#expectCount('.message.agent', texts.length);
  }

  /** Fails a turn for each payload: as the error of the response, and as the error of a stream. */
  async fail(texts: readonly string[]): Promise<void> {
    for (const text of texts) {
      const error = { code: text, message: text, request_id: text, details: text };
      for (const isStreamed of [false, true]) {
        this.#handle = (call) => {
          if (isStreamed) call.startStream().delta('Half').event('error', { error }).end();
          else call.respond(422, 'application/json', JSON.stringify({ error }));
        };
        await this.#send();
      }
    }
    await this.#expectCount('workspace-chat-problem', texts.length);
  }

  /** Sends a message for each payload, whose response has it in all fields, and begins a new conversation. */
  async respond(texts: readonly string[]): Promise<void> {
    for (const text of texts) {
      this.#handle = (call) => call.startStream().event('done', responseOf(text)).end();
      await this.#send();
      await this.#expectCount('.message.agent', 1);
      await this.reset();
    }
  }

  /** Sets the texts of the site, one payload after the other. */
  async setAttributes(texts: readonly string[]): Promise<void> {
    await this.page.evaluate(async (given) => {
      const chat = document.querySelector('workspace-chat')!;
      const names = ['heading', 'greeting', 'launcher-label', 'teaser', 'locale', 'link-hosts', 'replies-url'];
      for (const text of given) {
        for (const name of names) chat.setAttribute(name, text);
        chat.setAttribute('starters', JSON.stringify([text, text]));
        chat.strings = { send: text, placeholder: text, assistant: text };
        await chat.updateComplete;
        await new Promise((resolve) => {
          requestAnimationFrame(resolve);
        });
      }
      for (const name of [...names, 'starters']) chat.removeAttribute(name);
      chat.strings = null;
      await chat.updateComplete;
    }, texts);
  }

  async #send(): Promise<void> {
    await this.page.evaluate(() =>
      document
        .querySelector('workspace-chat')!
        .send('Hi')
        .then(() => {}),
    );
    await this.page.evaluate(frames);
  }

  async #waitUntilIdle(): Promise<void> {
    await this.page.waitForFunction(() => !document.querySelector('workspace-chat')!.busy);
    await this.page.evaluate(frames);
  }

  /** Waits until the payloads are rendered: otherwise they prove nothing. */
  async #expectCount(selector: string, least: number): Promise<void> {
    const last = this.page.locator(`workspace-chat ${selector}`).nth(least - 1);
    await last.waitFor({ state: 'attached', timeout: 30_000 });
  }

  async reset(): Promise<void> {
    await this.page.evaluate(() => document.querySelector('workspace-chat')!.reset());
  }

  #handle: (call: ServerCall) => unknown = () => {};
}
