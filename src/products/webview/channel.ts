/** Sends messages to the app and receives its messages, over whichever transport exists. */
import { findParent, senderOf, type FramedWindow } from './parent-frame.ts';
import { encode, isAddressed, type Outgoing } from './protocol.ts';
import { findTransport, type AppWindow, type Transport } from './transport.ts';

export type ChannelWindow = AppWindow &
  FramedWindow & {
    document: EventTarget;
    addEventListener: EventTarget['addEventListener'];
    workspaceChat?: { receive(json: unknown): void };
  };

/** Messages that wait until an app is connected. */
const maxWaiting = 100;

export class Channel {
  readonly #page: ChannelWindow;
  readonly #allowedOrigins: readonly string[];
  readonly #onMessage: (json: unknown) => void;
  #transport: Transport | null = null;
  #heardFrom: string | null = null;
  #waiting: string[] = [];

  constructor(page: ChannelWindow, allowedOrigins: readonly string[], onMessage: (json: unknown) => void) {
    this.#page = page;
    this.#allowedOrigins = allowedOrigins;
    this.#onMessage = onMessage;
    page.workspaceChat = Object.freeze({ receive: this.#receive });
    page.addEventListener('message', (event) => {
      // React Native dispatches on the document, and the event may bubble to the window.
      if (event.target !== page.document) this.#hear(event as MessageEvent);
    });
    page.document.addEventListener('message', (event) => this.#hear(event as MessageEvent));
    this.#find();
  }

  /** Whether an app is connected that can handle links. */
  get isConnected(): boolean {
    return this.#find() !== null;
  }

  post(message: Outgoing): void {
    const transport = this.#find();
    const json = encode(message);
    if (transport) transport.post(json);
    else this.#waiting = [...this.#waiting, json].slice(-maxWaiting);
  }

  #find(): Transport | null {
    if (this.#transport) return this.#transport;
    const transport = findTransport(this.#page) ?? findParent(this.#page, this.#allowedOrigins, this.#heardFrom);
    if (!transport) return null;
    this.#transport = transport;
    transport.listen?.(this.#receive);
    for (const json of this.#waiting.splice(0)) transport.post(json);
    return transport;
  }

  readonly #receive = (json: unknown): void => {
    this.#find();
    this.#onMessage(json);
  };

  #hear(event: MessageEvent): void {
    const { data, origin } = event;
    const sender = senderOf(event, this.#page, this.#allowedOrigins);
    if (sender === 'parent') this.#heardFrom = origin;
    // Browser extensions also post messages to the page's own window.
    if (sender === 'app' || sender === 'parent' || (sender === 'page' && isAddressed(data))) this.#receive(data);
    else if (sender === null && isAddressed(data)) {
      console.warn(`workspace-chat: a message from “${origin}” was dropped. Is it among allowedOrigins?`);
    }
  }
}
