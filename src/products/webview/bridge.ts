/** Connects the chat of a webview with the app: it handles the app's messages, and posts the chat's events. */
import { WorkspaceChatElement } from '../../workspace-chat/workspace-chat.ts';
import { Channel } from './channel.ts';
import { isComplete, takeInitialConfiguration, type NativeTool, type WebviewConfiguration } from './configuration.ts';
import { NativeStorage } from './native-storage.ts';
import { NativeTools } from './native-tools.ts';
import { WebviewPage } from './page.ts';
import { errorMessage, parseIncoming, type Incoming, type Outgoing } from './protocol.ts';

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
  #toolRegistration = new AbortController();

  constructor() {
    const { configuration, problems } = takeInitialConfiguration(window);
    const { allowedOrigins = [], ...rest } = configuration;
    this.#channel = new Channel(window, allowedOrigins, (json) => this.#onMessage(json));
    this.#page = new WebviewPage(this.#chat, {
      onClose: () => this.#post({ type: 'close' }),
      onLink: (url) => this.#openLink(url),
    });
    this.#chat.mode = 'fullscreen';
    this.#postEvents();
    for (const problem of problems) this.#post(errorMessage('invalid_field', 'configure', problem));
    this.#configure(rest);
    if (!this.#isStarted) this.#post({ type: 'ready', configured: false });
  }

  /** Whether the chat is on the page. */
  get #isStarted(): boolean {
    return this.#chat.isConnected;
  }

  /** Posts the chat's events to the app. */
  #postEvents(): void {
    const chat = this.#chat;
    const postHaptic = (kind: 'light' | 'success' | 'error') => {
      if (!document.hidden) this.#post({ type: 'haptic', kind });
    };
    chat.addEventListener('workspace-chat-ready', () => this.#post({ type: 'ready', configured: true }));
    chat.addEventListener('workspace-chat-unread', ({ count }) => this.#post({ type: 'unread', count }));
    // A listener on the element itself would show the thumbs.
    document.addEventListener('workspace-chat-feedback', ({ messageId, rating, comment }) =>
      this.#post({ type: 'feedback', messageId, rating, comment }),
    );
    chat.addEventListener('workspace-chat-send', () => postHaptic('light'));
    chat.addEventListener('workspace-chat-message', ({ message }) => {
      this.#post({ type: 'message', message });
      postHaptic('success');
    });
    chat.addEventListener('workspace-chat-error', ({ code, status, requestId, retryable }) => {
      this.#post({ type: 'error', code, status, requestId, retryable });
      postHaptic('error');
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

  #onMessage(json: unknown): void {
    const message = parseIncoming(json);
    if (message.type === 'error') this.#post(message);
    else this.#handle(message);
  }

  #handle(message: Incoming): void {
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
          this.#post(errorMessage('not_configured', message.type, 'Send a complete “configure” message first.'));
        } else if (message.type === 'send') void chat.send(message.text);
        else void chat.logout();
        return;
      case 'toolResult':
        if (!this.#tools.settle(message)) this.#rejectResponse(message.type, `call “${message.callId}”`);
        return;
      case 'storage':
        if (!this.#storage.settle(message)) this.#rejectResponse(message.type, `request “${message.id}”`);
    }
  }

  #rejectResponse(about: string, what: string): void {
    this.#post(
      errorMessage('not_waiting', about, `No pending ${what} exists: it has a response already, or has ended.`),
    );
  }

  #configure(configuration: WebviewConfiguration): void {
    const { storage, theme, tools, insets, closeButton, colorScheme, ...properties } = configuration;
    if (storage && this.#isStarted && storage !== (this.#configuration.storage ?? 'indexeddb')) {
      this.#post(errorMessage('invalid_field', 'configure', '“storage” cannot change once the chat is there.'));
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

  /** Registers these tools in place of the previous ones. */
  #offerTools(tools: readonly NativeTool[]): void {
    this.#toolRegistration.abort();
    this.#toolRegistration = new AbortController();
    const { signal } = this.#toolRegistration;
    for (const tool of tools) this.#chat.registerTool(this.#tools.toClientTool(tool), { signal });
  }
}

/** Starts the chat of an app's webview on this page. */
export const startBridge = (): void => void new Bridge();
