/** Connects the public element to its loading stages, in the order of its life: connected, configured, opened, disconnected. */
import { html, nothing, type ReactiveController, type TemplateResult } from 'lit';
import { checkConfiguration } from '../chat/configuration.ts';
import type { ChatResponse } from '../../contract/wire.ts';
import type { Conversation } from '../chat/conversation.ts';
import type { Contact } from '../chat/identity.ts';
import type { ConversationState } from '../chat/state/state.ts';
import type { ConversationStorage } from '../chat/storage/storage.ts';
import { tabFlag } from '../chat/storage/tab-flag.ts';
import { ToolRegistry } from '../chat/tools/tool-registry.ts';
import { afterPaint } from '../controllers/after-paint.ts';
import type { BlockRenderer } from '../controllers/block-renderer.ts';
import { LocaleController } from '../controllers/locale-controller.ts';
import { Registry } from '../controllers/registry.ts';
import type { Language } from '../locale/language.ts';
import { ElementAdapter } from './element-adapter.ts';
import { launcherStringsFor, renderLauncher } from './launcher-view.ts';
import * as events from './events.ts';
import { whenIdle } from './idle.ts';
import { Loader, type LoaderHost } from './loader.ts';
import { preloadStages } from './preload-stages.ts';
import type { WorkspaceChatProperties } from './properties.ts';

const configuringProperties = ['baseUrl', 'publishableKey', 'agentId', 'storage'];

export class ElementHost extends ElementAdapter implements LoaderHost, ReactiveController {
  readonly tools: ToolRegistry;
  readonly blocks: Registry<BlockRenderer>;
  readonly locale: LocaleController;
  /** Resolves when a stored conversation is restored, or there is none. */
  readonly ready: Promise<void>;
  readonly conversationStorage: () => ConversationStorage | null;
  /** Set while the panel is open because the visitor opened it. Focus returns to `from` when the panel closes. */
  opening: { from: HTMLElement | null } | null = null;
  contact: Contact = null;
  unread = 0;
  /** The sentence that visitors see when the configuration is not valid. Null while it is not loaded. */
  unavailable: Record<Language, string> | null = null;
  readonly #internals: ElementInternals;
  readonly #loader: Loader;
  readonly language = () => this.locale.language;
  readonly #prefetch = () => void this.#loader.prefetch();
  #resolveReady = () => {};
  /** Whether the configuration is incomplete or wrong. */
  #hasProblem = false;
  #isConfigured = false;
  #wasOpen = false;
  /** Whether the launcher has been painted, and may be in the top layer. */
  #wasPlaced = false;
  #disconnected = new AbortController();

  constructor(
    element: WorkspaceChatProperties,
    internals: ElementInternals,
    conversationStorage: () => ConversationStorage | null = () => null,
  ) {
    super(element);
    this.conversationStorage = conversationStorage;
    this.#internals = internals;
    this.locale = new LocaleController(element);
    this.#loader = new Loader(this);
    this.tools = new ToolRegistry(() => {
      this.#loader.core?.offerTools();
      element.requestUpdate();
    });
    this.blocks = new Registry(() => element.requestUpdate());
    this.ready = new Promise((resolve) => {
      this.#resolveReady = resolve;
    });
    element.addController(this);
  }

  setContact(contact: Contact): void {
    this.contact = contact;
    this.conversation?.setContact(contact);
  }

  identify(contact: Contact): void {
    this.contact = contact;
    this.conversation?.setContact(contact, true);
  }

  async logout(): Promise<void> {
    this.contact = null;
    if (!this.conversation) this.#loader.intendErasure(true);
    await (this.conversation ?? (await this.load()))?.logout();
  }

  async reset(): Promise<void> {
    if (!this.conversation) this.#loader.intendErasure(false);
    await (this.conversation ?? (await this.load()))?.reset();
  }

  /** The conversation, or null while its code is not loaded. */
  get conversation(): Conversation | null {
    return this.#loader.core?.conversation ?? null;
  }

  get state(): ConversationState | null {
    return this.conversation?.store.state ?? null;
  }

  get isBusy(): boolean {
    return this.#loader.core?.isBusy ?? false;
  }

  /** Loads and restores the conversation. Returns null when it is not configured, or its code cannot be loaded. */
  load(): Promise<Conversation | null> {
    return this.#loader.load();
  }

  /** Shows a team member's message. */
  async receive(message: unknown): Promise<void> {
    await this.load();
    await this.#loader.core?.receive(message);
  }

  /** Sends a message as the visitor, as soon as the code can be loaded. */
  async send(text: string): Promise<ChatResponse | null> {
    return (await this.#loader.loadEventually())?.send(text) ?? null;
  }

  onChunkFailed(): void {
    this.dispatch(new events.WorkspaceChatErrorEvent('chunk_failed', { retryable: true }));
    this.element.requestUpdate();
  }

  onStateChanged(state: ConversationState, domEvents: readonly Event[]): void {
    this.#setState('busy', this.isBusy);
    this.#setUnread(state.unread);
    for (const event of domEvents) this.dispatch(event);
  }

  /** Opens the panel for the visitor: focus moves into it, and back to `from` when it closes. */
  openByVisitor(from: EventTarget | null): void {
    this.opening = { from: from instanceof HTMLElement ? from : null };
    this.open = true;
    // Opening is also how the visitor retries after a chunk failed to load.
    this.#loader.hasFailed = false;
    this.element.requestUpdate();
  }

  closeTopmost(): boolean {
    if (this.#loader.panel?.closeMenu()) return true;
    if (!this.isFloating || !this.open) return false;
    this.open = false;
    return true;
  }

  hostConnected(): void {
    this.#disconnected = new AbortController();
    const { signal } = this.#disconnected;
    document.addEventListener('click', this.#onPageClick, { signal });
    // An element that is moved in the document leaves the top layer: render again to show the popover.
    this.element.requestUpdate();
  }

  hostDisconnected(): void {
    this.#disconnected.abort();
    // An element that is moved is connected again before the next task.
    setTimeout(() => {
      if (this.element.isConnected) return;
      this.#loader.configure(null);
      this.#isConfigured = false;
    });
  }

  willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (!this.element.isConnected) return;
    this.locale.resolve();
    if (!this.#isConfigured || configuringProperties.some((name) => changed.has(name))) this.#configure();
    if (changed.has('teaser') && !this.#hasProblem) whenIdle(this.#prefetch);
    if (changed.has('repliesUrl')) void this.#loader.core?.followRelay();
    if (this.open !== this.#wasOpen) this.#onOpenChanged();
    if ((this.open || !this.isFloating) && !this.#hasProblem) this.#loader.showPanel();
  }

  render(): unknown {
    const problem = this.#problemText();
    const { tag, dir } = this.locale;
    if (!this.isFloating && problem) return html`<p class="root problem" dir=${dir} lang=${tag}>${problem}</p>`;
    // Not a template, which the browser would have to parse before the launcher can be shown.
    return [
      problem ? nothing : this.#loader.renderPanel(),
      this.isFloating && (problem || !this.element.hideLauncher) ? this.#renderLauncher(problem) : nothing,
    ];
  }

  hostUpdated(): void {
    void this.#placeLauncher();
    this.#loader.core?.updateVisibility();
  }

  /** Moves the launcher to the top layer, but not before its first paint: the browser computes the styles of the page for it. */
  async #placeLauncher(): Promise<void> {
    if (!this.#wasPlaced) await afterPaint();
    this.#wasPlaced = true;
    const { launcher } = this;
    // Once the panel is loaded, its surface controller places both of them.
    if (!launcher || !this.element.isConnected || this.#loader.panel || launcher.matches(':popover-open')) return;
    launcher.popover = 'manual';
    launcher.showPopover();
  }

  get #openFlag() {
    return tabFlag(`workspace-chat-open ${this.element.agentId}`);
  }

  #renderLauncher(problem: string): TemplateResult {
    const isOpen = this.open && !problem;
    return renderLauncher(this.element, this.locale, {
      isOpen,
      unread: this.unread,
      problem,
      onClick: ({ currentTarget }) => {
        if (isOpen) this.open = false;
        else this.openByVisitor(currentTarget);
      },
      onIntent: this.#prefetch,
    });
  }

  /** The sentence that replaces the panel. Empty when the panel can be shown, or is closed. */
  #problemText(): string {
    if (this.isFloating && !this.open) return '';
    if (this.#loader.hasFailed) return launcherStringsFor(this.element, this.locale).chunkFailed;
    // The console names the exact problem, for the site's owner.
    return (this.#hasProblem ? this.unavailable?.[this.locale.language] : '') ?? '';
  }

  /** Applies the current configuration: starts another conversation, or reports one problem once. */
  #configure(): void {
    const configuration = checkConfiguration(this.element);
    this.#isConfigured = true;
    this.#hasProblem = !configuration;
    this.#loader.configure(configuration);
    this.#setUnread(0);
    if (configuration && this.isFloating) preloadStages(this.language());
    if (configuration) void this.#start();
    // Wait until the page is idle: a framework may set the properties one after another.
    else whenIdle(() => void import('./configuration-report.ts').then(({ reportProblem }) => reportProblem(this)));
  }

  /** Restores the open panel and the stored conversation, and loads no more code than they need. */
  async #start(): Promise<void> {
    if (this.isFloating) {
      // The browser reads all of the page's storage, in the main thread, when it is used first.
      await afterPaint();
      if (this.#openFlag.get()) this.open = true;
    }
    const unread = await this.#loader.peek();
    if (unread) this.#setUnread(unread);
    if (unread !== null || this.element.repliesUrl) await this.load();
    this.#resolveReady();
    this.dispatch(new events.WorkspaceChatReadyEvent());
    whenIdle(this.#prefetch);
  }

  #onOpenChanged(): void {
    this.#wasOpen = this.open;
    // The tab's next page opens the panel again only if the visitor opened it.
    if (this.opening || !this.open) this.#openFlag.set(this.open);
    this.#setState('open', this.open);
    if (!this.isFloating) return;
    this.dispatch(this.open ? new events.WorkspaceChatOpenEvent() : new events.WorkspaceChatCloseEvent());
  }

  #setUnread(unread: number): void {
    if (unread === this.unread) return;
    this.unread = unread;
    this.#setState('unread', unread > 0);
    this.element.requestUpdate();
  }

  #setState(state: 'open' | 'busy' | 'unread', isOn: boolean): void {
    const states = this.#internals.states;
    // Chrome 114 to 124 accept only names with two dashes. Safari 17.0 to 17.3 have no states. A reply calls this with each delta.
    if (states?.has(state) === isOn || !CSS.supports('selector(:state(open))')) return;
    if (isOn) states.add(state);
    else states.delete(state);
  }

  readonly #onPageClick = (event: MouseEvent): void => {
    const { launcherSelector } = this.element;
    if (!launcherSelector || this.open) return;
    const opener = event.composedPath().find((node) => node instanceof Element && node.matches(launcherSelector));
    if (opener) this.openByVisitor(opener);
  };
}
