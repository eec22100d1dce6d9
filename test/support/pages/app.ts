/** Plays the app around a webview: what the page tells it, and what it tells the page. */
import type { Page } from 'playwright';

export interface AppMessage {
  v: number;
  type: string;
  [field: string]: unknown;
}

/** Ways in which apps take messages, as scripts that run before the page's own. `toApp` is the app. */
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
  readonly messages: AppMessage[] = [];
  /** What the app keeps for the chat. */
  readonly stored = new Map<string, string>();
  /** False: storage requests are left without an answer. */
  answersStorage = true;
  /** What the page was not allowed to do. */
  readonly violations: string[] = [];
  readonly #waiting: { isWanted: (message: AppMessage) => boolean; resolve: (message: AppMessage) => void }[] = [];

  constructor(page: Page) {
    this.page = page;
  }

  /** Before the page is opened. */
  async prepare(transport: TransportName | null, configuration?: object): Promise<void> {
    await this.page.exposeFunction('toApp', (json: string) => this.#hear(json));
    await this.page.exposeFunction('toPolice', (violation: string) => void this.violations.push(violation));
    const injected = configuration ? `window.workspaceChatConfig = ${JSON.stringify(configuration)};` : '';
    await this.page.addInitScript(`
      addEventListener('securitypolicyviolation', (event) => toPolice(event.violatedDirective + ' ' + event.blockedURI));
      ${transport ? transports[transport] : ''}
      ${injected}
    `);
  }

  /** Says something as the transport's app does. */
  async say(type: string, fields: object = {}): Promise<void> {
    await this.sayRaw(JSON.stringify({ v: 1, type, ...fields }));
  }

  async sayRaw(json: unknown): Promise<void> {
    await this.page.evaluate((json) => {
      const page = window as unknown as { fromApp?: (json: unknown) => void };
      const { workspaceChat } = window as unknown as { workspaceChat: { receive(json: unknown): void } };
      (page.fromApp ?? workspaceChat.receive)(json);
    }, json);
  }

  /** The first message of that type that was not taken yet, and that is as wanted. */
  async take(type: string, isWanted: (message: AppMessage) => boolean = () => true): Promise<AppMessage> {
    const isRight = (message: AppMessage) => message.type === type && isWanted(message);
    const place = this.messages.findIndex(isRight);
    if (place >= 0) return this.messages.splice(place, 1)[0]!;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`The page never sent “${type}”. It sent: ${JSON.stringify(this.messages)}`));
      }, 15_000);
      this.#waiting.push({
        isWanted: isRight,
        resolve(message) {
          clearTimeout(timer);
          resolve(message);
        },
      });
    });
  }

  #hear(json: string): void {
    const message = JSON.parse(json) as AppMessage;
    if (message.type === 'storage' && this.answersStorage) void this.#keep(message);
    const place = this.#waiting.findIndex(({ isWanted }) => isWanted(message));
    if (place >= 0) this.#waiting.splice(place, 1)[0]!.resolve(message);
    else this.messages.push(message);
  }

  async #keep({ id, operation, key, value }: AppMessage): Promise<void> {
    if (operation === 'save') this.stored.set(key as string, value as string);
    if (operation === 'delete') this.stored.delete(key as string);
    const answer = operation === 'load' ? { value: this.stored.get(key as string) ?? null } : {};
    // The page may be gone by now, as an app's would be.
    await this.say('storage', { id, ...answer }).catch(() => {});
  }
}
