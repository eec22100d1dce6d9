/** The app around the webview: it stores the conversation, runs its tool, and logs every message. */

export interface LoggedMessage {
  direction: 'in' | 'out';
  type: string;
  json: string;
  at: Date;
}

interface Message {
  type: string;
  [field: string]: unknown;
}

/** The prefix of the app's records in localStorage. A real app uses the encrypted storage of the phone. */
const prefix = 'webview-app ';

export type ToolBehavior = 'answer' | 'fail' | 'hang';

const orders = {
  en: { status: 'shipped', carrier: 'Oman Post', expected: 'in two days' },
  ar: { status: 'شُحن', carrier: 'بريد عُمان', expected: 'خلال يومين' },
};

export class App {
  toolBehavior: ToolBehavior = 'answer';
  language: keyof typeof orders = 'en';
  readonly #frame: HTMLIFrameElement;
  readonly #onLog: (message: LoggedMessage) => void;
  readonly #onMessage: (message: Message) => void;

  constructor(
    frame: HTMLIFrameElement,
    onLog: (message: LoggedMessage) => void,
    /** Handles the messages that concern the app's screen. */
    onMessage: (message: Message) => void,
  ) {
    this.#frame = frame;
    this.#onLog = onLog;
    this.#onMessage = onMessage;
    addEventListener('message', ({ source, origin, data }: MessageEvent<string>) => {
      if (source === frame.contentWindow && origin === location.origin) this.#receive(data);
    });
  }

  post(type: string, fields: object = {}): void {
    this.postRaw(JSON.stringify({ v: 1, type, ...fields }));
  }

  /** Sends the text unchanged, also if it is invalid. */
  postRaw(json: string): void {
    this.#onLog({ direction: 'out', type: /^\{.*?"type" *: *"([^"]*)"/.exec(json)?.[1] ?? '?', json, at: new Date() });
    this.#frame.contentWindow?.postMessage(json, location.origin);
  }

  /** The stored records. */
  get stored(): [key: string, value: string][] {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix))
      .map((key) => [key.slice(prefix.length), localStorage.getItem(key) ?? '']);
  }

  clearStorage(): void {
    for (const [key] of this.stored) localStorage.removeItem(prefix + key);
  }

  #receive(json: string): void {
    const message = JSON.parse(json) as Message;
    this.#onLog({ direction: 'in', type: message.type, json, at: new Date() });
    if (message.type === 'storage') this.#handleStorage(message);
    else if (message.type === 'tool') this.#runTool(message);
    this.#onMessage(message);
  }

  #handleStorage({ id, operation, key, value }: Message): void {
    const name = `${prefix}${String(key)}`;
    if (operation === 'save') localStorage.setItem(name, String(value));
    if (operation === 'delete') localStorage.removeItem(name);
    this.post('storage', { id, ...(operation === 'load' && { value: localStorage.getItem(name) }) });
  }

  #runTool({ phase, callId, arguments: given }: Message): void {
    if (phase !== 'run' || this.toolBehavior === 'hang') return;
    if (this.toolBehavior === 'fail') return this.post('toolResult', { callId, ok: false, error: 'not_signed_in' });
    const { order_number } = given as { order_number?: string };
    this.post('toolResult', { callId, ok: true, result: { order_number, ...orders[this.language] } });
  }
}
