/** Connects the public element to the chat behind it, in the order of its life: connected, configured, opened, disconnected. */
import { html, type ReactiveController } from 'lit';
import type { ChatResponse } from '../../contract/wire.ts';
import { checkConfiguration, type Configuration } from '../chat/configuration.ts';
import type { Conversation } from '../chat/conversation.ts';
import type { LazyFile } from '../chat/lazy-file.ts';
import type { Contact } from '../chat/identity.ts';
import type { ConversationState } from '../chat/state/state.ts';
import type { ConversationStorage } from '../chat/storage/storage.ts';
import { ToolRegistry } from '../chat/tools/tool-registry.ts';
import { afterPaint } from '../controllers/after-paint.ts';
import type { BlockRenderer } from '../controllers/block-renderer.ts';
import { LocaleController } from '../controllers/locale-controller.ts';
import { Registry } from '../controllers/registry.ts';
import { chatNotice, type ChatNotice } from '../elements/chat-notice.ts';
import { launcher } from '../elements/launcher.ts';
import type { Strings } from '../locale/strings.ts';
import * as events from './events.ts';
import { ConsentGate } from './consent.ts';
import { FeedbackListeners } from './feedback-listeners.ts';
import { doctorFile, loadLocale, shortcutFile, teaserFile, textFiles, webMcpFile } from './files.ts';
import { whenIdle } from './idle.ts';
import { setState } from './element-states.ts';
import { LauncherPlace } from './launcher-place.ts';
import { Loader, type LoaderHost } from './loader.ts';
import { nativeFetch } from './native-fetch.ts';
import { OpenFlag } from './open-flag.ts';
import { Openers } from './openers.ts';
import { launcherStringsFor } from './launcher-texts.ts';
import type { ChatHost } from './chat-host.ts';
import { PageModals } from './page-modals.ts';
import type { WorkspaceChatProperties } from './properties.ts';

const configuringProperties = ['baseUrl', 'publishableKey', 'agentId', 'storage'];

export class ElementHost implements LoaderHost, ReactiveController {
  readonly element: WorkspaceChatProperties;
  readonly tools: ToolRegistry;
  readonly blocks: Registry<BlockRenderer>;
  readonly feedbackListeners: FeedbackListeners;
  readonly locale: LocaleController;
  readonly doctor = doctorFile;
  readonly consent: ConsentGate;
  /** Resolves when a stored conversation is restored, or there is none. */
  readonly ready: Promise<void>;
  readonly conversationStorage: () => ConversationStorage | null;
  opening: { from: HTMLElement | null } | null = null;
  contact: Contact = null;
  unread = 0;
  isNew = false;
  readonly #internals: ElementInternals;
  readonly #loader: Loader;
  #resolveReady = () => {};
  /** Null when the attributes are incomplete or wrong, undefined before they are read. */
  #configuration: Configuration | null | undefined;
  #reportedProblem: string | null = null;
  #wasOpen = false;
  readonly openFlag: OpenFlag;
  readonly #openers: Openers;
  readonly modals: PageModals;
  readonly launcherPlace: LauncherPlace;

  constructor(
    element: WorkspaceChatProperties,
    internals: ElementInternals,
    conversationStorage: () => ConversationStorage | null = () => null,
  ) {
    this.element = element;
    this.conversationStorage = conversationStorage;
    this.#internals = internals;
    this.consent = new ConsentGate(element);
    const update = () => element.requestUpdate();
    this.modals = new PageModals(element, update);
    this.launcherPlace = new LauncherPlace(this);
    this.locale = new LocaleController(element, loadLocale);
    this.tools = new ToolRegistry(update);
    this.blocks = new Registry(update);
    this.feedbackListeners = new FeedbackListeners(update);
    this.#loader = new Loader(this);
    this.openFlag = new OpenFlag(element);
    this.#openers = new Openers(element, this.#onIntent, (opener) => this.openByVisitor(opener));
    this.ready = new Promise((resolve) => {
      this.#resolveReady = resolve;
    });
    element.addController(this);
  }

  readonly language = () => this.locale.language;
  readonly setLocale = (tag: string) => this.locale.choose(tag);

  get fetch(): typeof fetch {
    return nativeFetch;
  }

  get open(): boolean {
    return this.element.open;
  }

  set open(open: boolean) {
    this.element.open = open;
  }

  get #hasProblem(): boolean {
    return this.#configuration === null;
  }

  get isFloating(): boolean {
    const { mode } = this.element;
    return mode !== 'inline' && mode !== 'fullscreen';
  }

  /** Whether the visitor sees the messages when the page is visible. */
  get isVisible(): boolean {
    return this.element.isConnected && (this.open || !this.isFloating);
  }

  get storage(): 'indexeddb' | 'memory' {
    return this.element.storage;
  }

  get streaming(): 'auto' | 'off' {
    return this.element.streaming;
  }

  get launcher(): HTMLElement | null {
    return this.element.renderRoot.querySelector('.launcher-box');
  }

  get conversation(): Conversation | null {
    return this.#loader.conversation;
  }

  get state(): ConversationState | null {
    return this.conversation?.store.state ?? null;
  }

  get isBusy(): boolean {
    return this.#loader.chat?.isBusy ?? false;
  }

  get unreadReply(): { key: string; text: string } | null {
    return this.conversation && this.#loader.chat!.unreadReply;
  }

  get suggestions(): ChatHost['suggestions'] {
    return this.#loader.chat?.suggestions ?? null;
  }

  loadStrings(): Promise<Strings> {
    return textFiles[this.locale.language].load();
  }

  /** Fires an event. Returns false when the page has canceled it. */
  dispatch(event: Event): boolean {
    return this.element.dispatchEvent(event);
  }

  agree(): void {
    const event = this.consent.give();
    if (event) this.dispatch(event);
    this.element.requestUpdate();
  }

  setContact(contact: Contact): void {
    this.contact = contact;
    this.conversation?.setContact(contact);
  }

  identify(contact: Contact): void {
    this.contact = contact;
    this.conversation?.setContact(contact, true);
    if (!contact) void this.#loader.eraseOwned();
  }

  async logout(): Promise<void> {
    this.contact = null;
    if (!this.conversation) this.#loader.intendErasure(true);
    if (!this.consent.missing) await (this.conversation ?? (await this.load()))?.logout();
  }

  async reset(): Promise<void> {
    if (!this.conversation) this.#loader.intendErasure(false);
    if (!this.consent.missing) await (this.conversation ?? (await this.load()))?.reset();
  }

  /** Loads and restores the conversation. Returns null when it is not configured, or its code cannot be loaded. */
  load(): Promise<Conversation | null> {
    return this.#loader.load();
  }

  async receive(message: unknown): Promise<void> {
    if (await this.load()) this.#loader.chat?.receive(message);
  }

  /** Offers messages below the last reply. */
  async suggest(texts: unknown): Promise<void> {
    if (await this.load()) this.#loader.chat?.suggest(texts);
  }

  /** Sends a message as the visitor, as soon as the code can be loaded. */
  async send(text: string): Promise<ChatResponse | null> {
    return (await this.#loader.loadEventually())?.send(text) ?? null;
  }

  /** Shows a text of the page beside the closed launcher. */
  async showTeaser(text: unknown, starters: unknown): Promise<void> {
    const show = await teaserFile.load().catch(() => null);
    if (this.isFloating && this.element.isConnected) show?.(this, { text, starters });
  }

  onLoadingChanged(): void {
    if (this.#loader.progress === 'failed')
      this.dispatch(new events.WorkspaceChatErrorEvent('chunk_failed', { retryable: true }));
    this.element.requestUpdate();
  }

  onStateChanged(state: ConversationState, domEvents: readonly Event[]): void {
    setState(this.#internals, 'busy', this.isBusy);
    this.#setUnread(state.unread);
    for (const event of domEvents) this.dispatch(event);
  }

  /** Focus moves into the panel, and back to `from` when it closes. */
  openByVisitor(from: EventTarget | null): void {
    this.opening = { from: from instanceof HTMLElement ? from : null };
    this.open = true;
    // Opening is also how the visitor tries again after a file could not be loaded.
    this.#loader.retry();
  }

  closeTopmost(): boolean {
    if (this.#loader.closeTopmost()) return true;
    if (!this.isFloating || !this.open) return false;
    this.open = false;
    return true;
  }

  hostConnected(): void {
    this.#openers.follow();
    // An element that is moved in the document leaves the top layer: render again to show the popover.
    this.element.requestUpdate();
  }

  hostDisconnected(): void {
    this.#openers.stop();
    this.modals.disconnect();
    // A moved element is connected again by then, and one that replaces it has not begun.
    queueMicrotask(() => {
      if (this.element.isConnected) return;
      this.#loader.configure(null);
      this.#configuration = undefined;
    });
  }

  willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (!this.element.isConnected) return;
    this.launcherPlace.willUpdate(changed);
    this.locale.resolve();
    this.#followConsent();
    if (this.#configuration === undefined || configuringProperties.some((name) => changed.has(name))) this.#configure();
    if (changed.has('launcherSelector')) this.#openers.follow();
    if (changed.has('repliesUrl') && this.conversation) this.#loader.chat?.followRelay();
    if ((this.open || !this.isFloating) && !this.#hasProblem) this.#loader.show();
  }

  render(): unknown {
    const notice = this.#notice;
    const panel = this.#hasProblem ? null : this.#loader.renderPanel();
    const { tag, dir } = this.locale;
    if (!this.isFloating)
      return panel ?? (notice && html`<div class="root" dir=${dir} lang=${tag}>${chatNotice(notice)}</div>`);
    // Not a template, which the browser would have to parse before the launcher can be shown.
    return [panel, notice || !this.element.hideLauncher ? this.#renderLauncher(notice) : null];
  }

  hostUpdated(): void {
    // Not before: what a listener changes during an update would be lost.
    if (this.element.isConnected && this.open !== this.#wasOpen) this.#onOpenChanged();
    void this.launcherPlace.update();
    if (this.conversation) this.#loader.chat?.updateVisibility();
    this.#loadExtras();
  }

  /** Starts the extras that the page asks for, when the browser is idle. The browser logs a file that cannot be loaded. */
  #loadExtras(): void {
    const { teaser, shortcut, pageTools } = this.element;
    if (this.#hasProblem) return;
    const extras: (LazyFile<(host: ElementHost) => void> | false)[] = [
      teaser !== null && this.isFloating && teaserFile,
      shortcut !== null && shortcutFile,
      'modelContext' in document && (pageTools || this.tools.tools.length > 0) && webMcpFile,
    ];
    for (const file of extras) {
      if (!file) continue;
      if (file.value) file.value(this);
      else whenIdle(async () => (await file.load().catch(() => null))?.(this));
    }
  }

  #renderLauncher(notice: ChatNotice | null): unknown {
    const { element, locale, unread } = this;
    const isOpen = this.open && this.#loader.hasPanel;
    return launcher({
      strings: launcherStringsFor(element, locale),
      pluralRule: locale.pluralRule,
      dir: locale.dir,
      lang: locale.tag,
      text: element.launcherLabel,
      hasButton: !element.hideLauncher,
      isOpen,
      unread,
      notice,
      onClick: ({ currentTarget, detail }) => {
        // The second click of a double click would close what the first one has opened.
        if (detail > 1) return;
        if (isOpen || this.#hasProblem) this.open = !this.open;
        else this.openByVisitor(currentTarget);
      },
      onIntent: this.#onIntent,
    });
  }

  /** The sentence that stands in place of the panel, or null. */
  get #notice(): ChatNotice | null {
    if (this.isFloating && !this.open) return null;
    const { chunkFailed, notAvailable, opening, tryAgain } = launcherStringsFor(this.element, this.locale);
    // The console names the exact problem, for the site's owner.
    if (this.#hasProblem) return this.#reportedProblem ? { text: notAvailable, isWaiting: false, retry: null } : null;
    const { progress } = this.#loader;
    if (progress === 'slow') return { text: opening, isWaiting: true, retry: null };
    const retry = { label: tryAgain, onClick: () => this.#loader.retry() };
    return progress === 'failed' ? { text: chunkFailed, isWaiting: false, retry } : null;
  }

  /** The visitor may have agreed in another chat, or the site has withdrawn the consent, which ends a conversation that has begun. */
  #followConsent(): void {
    this.consent.update();
    if (this.conversation && this.consent.missing) this.#configuration = undefined;
  }

  /** Applies the current configuration: starts another conversation, or reports one problem once. */
  #configure(): void {
    const configuration = (this.#configuration = checkConfiguration(this.element));
    this.#loader.configure(configuration);
    this.#setUnread(0);
    if (configuration) void this.#start(configuration);
    // Wait until the page is idle: a framework may set the properties one after another.
    else whenIdle(() => void this.#reportProblem());
  }

  async #reportProblem(): Promise<void> {
    const doctor = await doctorFile.load().catch(() => null);
    const problem = this.#hasProblem ? doctor?.describeConfiguration(this.element) : null;
    if (!problem || problem === this.#reportedProblem) return;
    this.#reportedProblem = problem;
    console.error(problem);
    this.element.requestUpdate();
    this.dispatch(new events.WorkspaceChatErrorEvent('configuration'));
  }

  /** Opens the panel that was open on the tab's last page, and loads what a stored conversation needs. Another start replaces it. */
  async #start(configuration: Configuration): Promise<void> {
    if (this.isFloating) {
      // The browser reads all of the page's storage, in the main thread, when it is used first.
      await afterPaint();
      if (this.openFlag.read()) this.open = true;
    }
    const unread = await this.#loader.peek();
    if (this.#configuration !== configuration) return;
    this.isNew = unread === null;
    if (unread) this.#setUnread(unread);
    if (unread || (unread !== null && this.element.repliesUrl)) await this.load();
    if (this.#configuration !== configuration) return;
    this.#resolveReady();
    this.dispatch(new events.WorkspaceChatReadyEvent());
    whenIdle(() => this.#loader.prefetch());
  }

  #onOpenChanged(): void {
    this.#wasOpen = this.open;
    setState(this.#internals, 'open', this.open);
    if (!this.isFloating) return;
    // The tab's next page opens the panel again only if the visitor opened it.
    if ((this.opening || !this.open) && !this.consent.missing) this.openFlag.write(this.open);
    const Change = this.open ? events.WorkspaceChatOpenEvent : events.WorkspaceChatCloseEvent;
    this.dispatch(new Change());
  }

  #setUnread(unread: number): void {
    if (unread === this.unread) return;
    this.unread = unread;
    setState(this.#internals, 'unread', unread > 0);
    this.element.requestUpdate();
  }

  /** The visitor is likely to open the chat. */
  readonly #onIntent = (): void => {
    if (!this.#hasProblem && !this.#loader.hasPanel) void this.#loader.prepare();
  };
}
