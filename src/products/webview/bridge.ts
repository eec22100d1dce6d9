/** Lets the chat of a webview and the app around it talk: the app's messages in, the chat's events out. */
import { WorkspaceChatElement } from '../../workspace-chat/workspace-chat.ts';
import { Channel } from './channel.ts';
import { isComplete, takeInitialConfiguration, type NativeTool, type WebviewConfiguration } from './configuration.ts';
import { NativeStorage } from './native-storage.ts';
import { NativeTools } from './native-tools.ts';
import { WebviewPage } from './page.ts';
import { complain, parseIncoming, type Incoming, type Outgoing } from './protocol.ts';

class Bridge {
  readonly #channel: Channel;
  readonly #page: WebviewPage;
  readonly #post = (message: Outgoing): void => this.#channel.post(message);
  readonly #tools = new NativeTools(this.#post);
  readonly #storage = new NativeStorage(this.#post);
  readonly #chat = new WorkspaceChatElement({
    conversationStorage: () => (this.#configuration.storage === 'native' ? this.#storage : null),
  });
  #configuration: WebviewConfiguration = {};
  #offer = new AbortController();

  constructor() {
    const { configuration, faults } = takeInitialConfiguration(window);
    const { allowedOrigins = [], ...rest } = configuration;
    this.#channel = new Channel(window, allowedOrigins, (json) => this.#take(json));
    this.#page = new WebviewPage(this.#chat, {
      onClose: () => this.#post({ type: 'close' }),
      onLink: (url) => this.#openLink(url),
    });
    this.#chat.mode = 'fullscreen';
    this.#report();
    for (const fault of faults) this.#post(complain('invalid_field', 'configure', fault));
    this.#configure(rest);
    if (!this.#isStarted) this.#post({ type: 'ready', configured: false });
  }

  /** The chat is on the page. */
  get #isStarted(): boolean {
    return this.#chat.isConnected;
  }

  /** Tells the app what happens in the chat. */
  #report(): void {
    const chat = this.#chat;
    const feel = (kind: 'light' | 'success' | 'error') => {
      if (!document.hidden) this.#post({ type: 'haptic', kind });
    };
    chat.addEventListener('workspace-chat-ready', () => this.#post({ type: 'ready', configured: true }));
    chat.addEventListener('workspace-chat-unread', ({ count }) => this.#post({ type: 'unread', count }));
    chat.addEventListener('workspace-chat-send', () => feel('light'));
    chat.addEventListener('workspace-chat-message', ({ message }) => {
      this.#post({ type: 'message', message });
      feel('success');
    });
    chat.addEventListener('workspace-chat-error', ({ code, status, requestId, retryable }) => {
      this.#post({ type: 'error', code, status, requestId, retryable });
      feel('error');
    });
    chat.addEventListener('workspace-chat-link', (event) => {
      if (this.#openLink(event.url)) event.preventDefault();
    });
  }

  #openLink(url: string): boolean {
    if (!this.#channel.isConnected) return false;
    this.#post({ type: 'open-link', url });
    return true;
  }

  #take(json: unknown): void {
    const message = parseIncoming(json);
    if (message.type === 'error') this.#post(message);
    else this.#obey(message);
  }

  #obey(message: Incoming): void {
    const chat = this.#chat;
    switch (message.type) {
      case 'configure':
        return this.#configure(message.configuration);
      case 'identify':
        return chat.identify(message.contact);
      case 'insets':
        return this.#page.setInsets(message);
      case 'colorScheme':
        return this.#page.setColorScheme(message.value);
      case 'locale':
        chat.locale = message.value;
        return;
      case 'back':
        if (!this.#chat.closeTopmost()) this.#post({ type: 'close' });
        return;
      case 'logout':
      case 'send':
        if (!this.#isStarted) {
          this.#post(complain('not_configured', message.type, 'Send a complete “configure” message first.'));
        } else if (message.type === 'send') void chat.send(message.text);
        else void chat.logout();
        return;
      case 'toolResult':
        if (!this.#tools.settle(message)) this.#refuseAnswer(message.type, `call “${message.callId}”`);
        return;
      case 'storage':
        if (!this.#storage.settle(message)) this.#refuseAnswer(message.type, `request “${message.id}”`);
    }
  }

  #refuseAnswer(about: string, what: string): void {
    this.#post(complain('not_waiting', about, `Nobody waits for the ${what}: it was answered, or is over.`));
  }

  #configure(configuration: WebviewConfiguration): void {
    const { storage, theme, tools, insets, closeButton, colorScheme, ...properties } = configuration;
    if (storage && this.#isStarted && storage !== (this.#configuration.storage ?? 'indexeddb')) {
      this.#post(complain('invalid_field', 'configure', '“storage” cannot change once the chat is there.'));
      return;
    }
    if (tools) this.#offerTools(tools);
    Object.assign(this.#configuration, configuration);
    const chat = this.#chat;
    Object.assign(chat, properties);
    // With the app's storage, the element must not read the browser's.
    if (storage) chat.storage = storage === 'native' ? 'memory' : storage;
    if (theme) this.#page.setTheme(theme);
    if (insets) this.#page.setInsets(insets);
    if (colorScheme) this.#page.setColorScheme(colorScheme);
    if (closeButton !== undefined) this.#page.setCloseButton(closeButton);
    if (isComplete(this.#configuration)) this.#page.show();
  }

  /** Offers these tools, and no longer those before. */
  #offerTools(tools: readonly NativeTool[]): void {
    this.#offer.abort();
    this.#offer = new AbortController();
    const { signal } = this.#offer;
    for (const tool of tools) this.#chat.registerTool(this.#tools.toClientTool(tool), { signal });
  }
}

/** Takes the page over: from here on it is the app's chat. */
export const startBridge = (): void => void new Bridge();
