/** A fake app around a webview: it receives the page's messages, and posts messages to the page. */
import { expect, type Page } from '@playwright/test';

export interface AppMessage {
  v: number;
  type: string;
  [field: string]: unknown;
}

/** The bridges of app platforms, as scripts that run before the page's own. `toApp` passes a message to the app. */
export const transports = {
  webkit: `window.webkit = { messageHandlers: { workspaceChat: { postMessage: (json) => toApp(json) } } };`,
  'android listener': `
    window.workspaceChatNative = new (class extends EventTarget {
      postMessage(json) { toApp(json); }
    })();
    window.fromApp = (json) => workspaceChatNative.dispatchEvent(new MessageEvent('message', { data: json }));`,
  'android interface': `window.workspaceChatNative = { postMessage: (json) => { toApp(json); } };`,
  'react native': `
    window.ReactNativeWebView = { postMessage: (json) => { toApp(json); } };
    window.fromApp = (json) => document.dispatchEvent(new MessageEvent('message', { data: json }));`,
  flutter: `
    window.workspaceChatNative = { postMessage: (json) => toApp(json) };
    window.fromApp = (json) => window.workspaceChat.receive(json);`,
  capacitor: `
    window.Capacitor = { Plugins: { WorkspaceChat: {
      postMessage: async ({ message }) => { toApp(message); },
      addListener(type, listener) { window.fromApp = (json) => listener({ message: json }); },
    } } };`,
} as const;

export type TransportName = keyof typeof transports;

export class App {
  readonly page: Page;
  /** The messages that no test has taken yet. */
  readonly messages: AppMessage[] = [];
  /** The records that the app stores for the chat. */
  readonly stored = new Map<string, string>();
  /** When false, the app ignores storage requests. */
  respondsToStorage = true;
  /** Violations of the page's Content Security Policy. */
  readonly violations: string[] = [];
  readonly #waiting: { matches: (message: AppMessage) => boolean; resolve: (message: AppMessage) => void }[] = [];

  constructor(page: Page) {
    this.page = page;
  }

  /** Installs the bridge and the configuration. Call it before the page is opened. */
  async install(transport: TransportName | null, configuration?: object): Promise<void> {
    await this.page.exposeFunction('toApp', (json: string) => this.#onMessage(json));
    await this.page.exposeFunction('reportViolation', (violation: string) => void this.violations.push(violation));
    const injected = configuration ? `window.workspaceChatConfig = ${JSON.stringify(configuration)};` : '';
    await this.page.addInitScript(`
      addEventListener('securitypolicyviolation', (event) => reportViolation(event.violatedDirective + ' ' + event.blockedURI));
      ${transport ? transports[transport] : ''}
      ${injected}
    `);
  }

  /** Posts a message of protocol version 1 to the page. */
  async post(type: string, fields: object = {}): Promise<void> {
    await this.postRaw(JSON.stringify({ v: 1, type, ...fields }));
  }

  async postRaw(json: unknown): Promise<void> {
    await this.page.evaluate((json) => {
      const page = window as unknown as { fromApp?: (json: unknown) => void };
      const { workspaceChat } = window as unknown as { workspaceChat: { receive(json: unknown): void } };
      (page.fromApp ?? workspaceChat.receive)(json);
    }, json);
  }

  /** Takes the first message of a type that matches, or waits for one until the test times out. */
  async take(type: string, matches: (message: AppMessage) => boolean = () => true): Promise<AppMessage> {
    const isRight = (message: AppMessage) => message.type === type && matches(message);
    const index = this.messages.findIndex(isRight);
    if (index >= 0) return this.messages.splice(index, 1)[0]!;
    return new Promise((resolve) => {
      this.#waiting.push({ matches: isRight, resolve });
    });
  }

  /** Asserts that the page has posted no message that matches, once it has responded to a later message of the app. */
  async expectNone(matches: (message: AppMessage) => boolean): Promise<void> {
    await this.post('probe');
    await this.take('error', ({ code }) => code === 'unknown_type');
    expect(this.messages.filter(matches)).toEqual([]);
  }

  #onMessage(json: string): void {
    const message = JSON.parse(json) as AppMessage;
    if (message.type === 'storage' && this.respondsToStorage) void this.#store(message);
    const index = this.#waiting.findIndex(({ matches }) => matches(message));
    if (index >= 0) this.#waiting.splice(index, 1)[0]!.resolve(message);
    else this.messages.push(message);
  }

  async #store({ id, operation, key, value }: AppMessage): Promise<void> {
    if (operation === 'save') this.stored.set(key as string, value as string);
    if (operation === 'delete') this.stored.delete(key as string);
    const response = operation === 'load' ? { value: this.stored.get(key as string) ?? null } : {};
    // The page may have been closed in the meantime.
    await this.post('storage', { id, ...response }).catch(() => {});
  }
}
