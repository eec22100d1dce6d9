/** The app around the webview: keeps what the chat gives it to keep, runs its tool, and writes everything down. */

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

/** The app's own storage; an app in earnest takes the phone's encrypted one. */
const prefix = 'webview-app ';

export type ToolMood = 'answer' | 'fail' | 'hang';

const orders = {
  en: { status: 'shipped', carrier: 'Oman Post', expected: 'in two days' },
  ar: { status: 'شُحن', carrier: 'بريد عُمان', expected: 'خلال يومين' },
};

export class App {
  toolMood: ToolMood = 'answer';
  language: keyof typeof orders = 'en';
  readonly #frame: HTMLIFrameElement;
  readonly #onLog: (message: LoggedMessage) => void;
  readonly #onMessage: (message: Message) => void;

  constructor(
    frame: HTMLIFrameElement,
    onLog: (message: LoggedMessage) => void,
    /** Everything that is left for the app's screen to do. */
    onMessage: (message: Message) => void,
  ) {
    this.#frame = frame;
    this.#onLog = onLog;
    this.#onMessage = onMessage;
    addEventListener('message', ({ source, origin, data }: MessageEvent<string>) => {
      if (source === frame.contentWindow && origin === location.origin) this.#take(data);
    });
  }

  say(type: string, fields: object = {}): void {
    this.sayRaw(JSON.stringify({ v: 1, type, ...fields }));
  }

  /** Says whatever it is, as it stands. */
  sayRaw(json: string): void {
    this.#onLog({ direction: 'out', type: /^\{.*?"type" *: *"([^"]*)"/.exec(json)?.[1] ?? '?', json, at: new Date() });
    this.#frame.contentWindow?.postMessage(json, location.origin);
  }

  /** What is kept, by key. */
  get kept(): [key: string, value: string][] {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix))
      .map((key) => [key.slice(prefix.length), localStorage.getItem(key) ?? '']);
  }

  forget(): void {
    for (const [key] of this.kept) localStorage.removeItem(prefix + key);
  }

  #take(json: string): void {
    const message = JSON.parse(json) as Message;
    this.#onLog({ direction: 'in', type: message.type, json, at: new Date() });
    if (message.type === 'storage') this.#keep(message);
    else if (message.type === 'tool') this.#run(message);
    this.#onMessage(message);
  }

  #keep({ id, operation, key, value }: Message): void {
    const name = `${prefix}${String(key)}`;
    if (operation === 'save') localStorage.setItem(name, String(value));
    if (operation === 'delete') localStorage.removeItem(name);
    this.say('storage', { id, ...(operation === 'load' && { value: localStorage.getItem(name) }) });
  }

  #run({ phase, callId, arguments: given }: Message): void {
    if (phase !== 'run' || this.toolMood === 'hang') return;
    if (this.toolMood === 'fail') return this.say('toolResult', { callId, ok: false, error: 'not_signed_in' });
    const { order_number } = given as { order_number?: string };
    this.say('toolResult', { callId, ok: true, result: { order_number, ...orders[this.language] } });
  }
}
