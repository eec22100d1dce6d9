/** Loads the chat and the texts of its language, and creates the conversation and the panel of an element. */
import type { Configuration } from '../chat/configuration.ts';
import type { Conversation } from '../chat/conversation.ts';
import { noteErasure, peekUnread, recordKey } from '../chat/storage/peek.ts';
import { nextTask } from '../controllers/after-paint.ts';
import type { Language } from '../locale/language.ts';
import { launcherStrings } from '../locale/launcher-strings.ts';
import type { ChatHost } from './chat-host.ts';
import type { Chat } from './chat.ts';
import { chatFile, textFiles } from './files.ts';
import type { Panel } from './panel.ts';
import { prefetch } from './prefetch.ts';

/** Milliseconds before the visitor is told that the chat is being loaded. */
const noticeDelay = 300;

/** The element, as its loader sees it. */
export interface LoaderHost extends ChatHost {
  /** The loading of the chat takes a moment, or has failed. */
  onLoadingChanged(): void;
}

export class Loader {
  /** The conversation with what belongs to it, or null while its code is not loaded. */
  chat: Chat | null = null;
  /** How a visitor who has opened the chat waits for its files. */
  progress: 'none' | 'slow' | 'failed' = 'none';
  readonly #host: LoaderHost;
  #configuration: Configuration | null = null;
  #panel: Panel | null = null;
  /** The language of the panel: the element's, or the former one while the texts of the next one are loaded. */
  #language: Language | null = null;
  /** The language whose texts are being loaded while the panel has another one. */
  #nextLanguage: Language | null = null;
  /** The calls that wait for a later attempt to load the chat. */
  #waiting: (() => void)[] = [];
  #isLoading = false;
  /** Whether the panel is rendered: the visitor has opened it, or is likely to. */
  #isPanelWanted = false;

  constructor(host: LoaderHost) {
    this.#host = host;
  }

  /** The conversation once it has started, or null. */
  get conversation(): Conversation | null {
    return this.chat?.hasStarted ? this.chat.conversation : null;
  }

  /** Whether the panel can be shown. */
  get hasPanel(): boolean {
    return this.#panel !== null && this.chat !== null;
  }

  /** Disposes of the current conversation, and prepares for one of another configuration or for none. */
  configure(configuration: Configuration | null): void {
    this.chat?.dispose();
    this.chat = null;
    this.progress = 'none';
    this.#configuration = configuration;
  }

  /** Marks the stored conversation as erased while the code that erases it is not loaded yet. */
  intendErasure(isOwnedOnly: boolean): void {
    if (this.#configuration) noteErasure(recordKey(this.#configuration), isOwnedOnly);
  }

  /** Returns the number of unread messages in the stored conversation, or null when none is stored. Loads no code. */
  async peek(): Promise<number | null> {
    const configuration = this.#configuration;
    const { consent, element } = this.#host;
    const isStored = configuration && !consent.missing && element.storage !== 'memory';
    return isStored ? peekUnread(configuration, Date.now()) : null;
  }

  /** Erases the stored conversation of a customer, because the page knows that nobody is signed in. Loads no code. */
  async eraseOwned(): Promise<void> {
    // The element reads its configuration in its first update.
    await this.#host.element.updateComplete;
    // A conversation with unread messages is anonymous.
    if ((await this.peek()) !== 0 || this.#host.contact) return;
    this.intendErasure(true);
    this.conversation?.setContact(null, true);
  }

  /** Fetches the files without evaluating them, where that is possible. */
  prefetch(): void {
    if (!this.chat && this.#configuration) prefetch(this.#host.locale.language);
  }

  /** Renders the hidden panel at the first sign that the visitor opens it, which takes little time then. Reads no storage. */
  async prepare(): Promise<void> {
    this.#isPanelWanted = true;
    // A failure is shown when the visitor opens the chat, which tries again.
    if (await this.#loadFiles().catch(() => null)) this.#host.element.requestUpdate();
  }

  /** Returns the restored conversation, or null when there is no configuration or its code cannot be loaded. */
  async load(): Promise<Conversation | null> {
    // The element reads its configuration in its first update, which takes place while the code is fetched.
    await this.#host.element.updateComplete;
    if (!(await this.#loadVisibly())) return null;
    await this.#start();
    return this.conversation;
  }

  /** Like `load`, but waits for a later attempt when the code cannot be loaded, so that nothing that is sent is lost. */
  async loadEventually(): Promise<Conversation | null> {
    const conversation = await this.load();
    if (conversation || this.progress !== 'failed') return conversation;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return this.loadEventually();
  }

  /** Shows the panel in the element's language: at once, or when its files are loaded. After a failure, only `retry` does. */
  show(): void {
    this.#isPanelWanted = true;
    if (this.#create()) void this.#start();
    else if (this.progress !== 'failed' && !this.#isLoading) void this.load();
  }

  /** Tries again to load what could not be loaded. */
  retry(): void {
    if (this.progress === 'failed') this.progress = 'none';
    this.#host.element.requestUpdate();
  }

  /** Returns the panel's template, or null while something that it needs is not loaded. */
  renderPanel(): unknown {
    if (!this.#isPanelWanted || !this.#create()) return null;
    const { chat } = this;
    this.#panel ??= new chatFile.value!.Panel(this.#host, chat!.conversation, this.#viewState);
    return this.#panel.render(chat!.conversation, this.#viewState);
  }

  closeTopmost(): boolean {
    return this.#panel?.closeTopmost() ?? false;
  }

  get #viewState() {
    const language = this.#language!;
    return chatFile.value!.toViewState(this.#host, textFiles[language].value!, language);
  }

  /** Loads the files, and says so to a visitor who waits for the chat. Returns false without a configuration or its files. */
  async #loadVisibly(): Promise<boolean> {
    if (this.#create()) return true;
    const isFirst = !this.#isLoading;
    this.#isLoading = true;
    const timer = setTimeout(() => this.#setProgress('slow'), noticeDelay);
    try {
      await this.#loadFiles();
      // Evaluating the files and rendering the panel in one task would be long on a slow device.
      await nextTask();
      this.progress = 'none';
      this.#host.element.requestUpdate();
      return this.#create();
    } catch (error) {
      if (isFirst) this.#fail(error);
      return false;
    } finally {
      clearTimeout(timer);
      if (isFirst) this.#isLoading = false;
    }
  }

  async #loadFiles(): Promise<boolean> {
    await Promise.all([chatFile.load(), textFiles[this.#host.locale.language].load()]);
    return this.#create();
  }

  /** Creates the conversation, which does not start yet. Returns false without a configuration, or while a file is missing. */
  #create(): boolean {
    const { language } = this.#host.locale;
    if (textFiles[language].value) this.#language = language;
    if (!this.#configuration || !chatFile.value || !this.#language) return false;
    this.chat ??= new chatFile.value.Chat(this.#configuration, this.#host);
    if (this.#language !== language) void this.#loadLanguage(language);
    return true;
  }

  /** The panel keeps its language until the texts of the next one are loaded. The next update tries again. */
  async #loadLanguage(language: Language): Promise<void> {
    if (this.#nextLanguage === language) return;
    this.#nextLanguage = language;
    try {
      await textFiles[language].load();
      this.#host.element.requestUpdate();
    } catch (error) {
      this.#report(error);
    }
    this.#nextLanguage = null;
  }

  async #start(): Promise<void> {
    await this.#host.consent.whenGiven();
    const restored = this.chat?.start();
    for (const resolve of this.#waiting.splice(0)) resolve();
    await restored;
  }

  #setProgress(progress: Loader['progress']): void {
    if (progress === this.progress) return;
    this.progress = progress;
    this.#host.onLoadingChanged();
  }

  #fail(error: unknown): void {
    this.#report(error);
    this.#setProgress('failed');
    void this.#awaitArrival();
  }

  /** The files may still arrive. */
  async #awaitArrival(): Promise<void> {
    await Promise.all([chatFile.arrived, textFiles[this.#host.locale.language].arrived]);
    this.#setProgress('none');
  }

  #report(error: unknown): void {
    console.error(`workspace-chat: ${launcherStrings.en.chunkFailed}`, error);
  }
}
