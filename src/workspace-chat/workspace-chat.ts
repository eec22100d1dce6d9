/** The public element and its first stage: attributes in, events out, a launcher, and the loading of the rest. */
import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { Message } from '../../contract/wire.ts';
import { BlockRegistry, type BlockRenderer } from '../controllers/block-registry.ts';
import type { Contact } from '../chat/identity.ts';
import { isBusy, type ConversationState } from '../chat/state/state.ts';
import { ToolRegistry } from '../chat/tools/tool-registry.ts';
import type { ClientTool } from '../chat/tools/client-tools.ts';
import { checkConfiguration, resolveUrl, type ConfigurationProblem } from '../chat/configuration.ts';
import type { Mode, ViewState } from '../controllers/chat-context.ts';
import { LocaleController } from '../controllers/locale-controller.ts';
import { launcher, launcherStyles } from '../elements/launcher.ts';
import * as events from './events.ts';
import { launcherStrings } from '../locale/launcher-strings.ts';
import { overrideStrings, type StringOverrides, type Strings } from '../locale/strings.ts';
import { nativeFetch } from './native-fetch.ts';
import { logProblem, prefetch, Stages, whenIdle, type StagesHost } from './loader.ts';
import { parseStarters } from './starters.ts';
import { host } from '../styles/host.ts';
import { tokens } from '../styles/tokens.ts';
import { tabFlag } from '../chat/storage/tab-flag.ts';

/**
 * A chat with one of a workspace's agents.
 *
 * @tagname workspace-chat
 *
 * @fires {WorkspaceChatReadyEvent} workspace-chat-ready - The element can be called, and a stored conversation is there again.
 * @fires {WorkspaceChatOpenEvent} workspace-chat-open - The panel opened.
 * @fires {WorkspaceChatCloseEvent} workspace-chat-close - The panel closed.
 * @fires {WorkspaceChatSendEvent} workspace-chat-send - A text is about to be sent. Cancelling keeps it from being sent.
 * @fires {WorkspaceChatMessageEvent} workspace-chat-message - An answer is complete, or a person has written.
 * @fires {WorkspaceChatConversationEvent} workspace-chat-conversation - A conversation began, went on, or ended.
 * @fires {WorkspaceChatStateEvent} workspace-chat-state - Who answers has changed.
 * @fires {WorkspaceChatToolEvent} workspace-chat-tool - A tool of the page has come one step further.
 * @fires {WorkspaceChatLeadEvent} workspace-chat-lead - The visitor left details that became a lead.
 * @fires {WorkspaceChatUnreadEvent} workspace-chat-unread - The number of unread messages changed.
 * @fires {WorkspaceChatLinkEvent} workspace-chat-link - The visitor activated a link of the conversation. Cancelling leaves it to the page.
 * @fires {WorkspaceChatFormEvent} workspace-chat-form - The visitor sent a form of the agent's.
 * @fires {WorkspaceChatErrorEvent} workspace-chat-error - Something did not work; the visitor has been told what concerns them.
 *
 * @slot launcher-icon - Instead of the launcher's icon.
 * @slot header-start - Before the heading, such as a logo.
 * @slot header-end - After the heading.
 * @slot greeting - Instead of the greeting.
 * @slot before-input - Between the messages and the input.
 * @slot footer - Below the notice.
 *
 * @csspart launcher - The button that opens the chat.
 * @csspart badge - The number of unread messages, on the launcher.
 * @csspart panel - The whole chat, beside the launcher or in its box.
 * @csspart header - The bar above the messages.
 * @csspart heading - The title in the header.
 * @csspart messages - What scrolls: the greeting, the messages, the starters.
 * @csspart message - Each message, whoever wrote it.
 * @csspart message-visitor - A message of the visitor.
 * @csspart message-agent - An answer of the agent.
 * @csspart message-team - A message of a person.
 * @csspart bubble - What stands behind a message's text.
 * @csspart sources - Where an answer comes from.
 * @csspart block - Each block, whatever its type.
 * @csspart form - A form of the agent's.
 * @csspart field - Each input of a form.
 * @csspart option - Each choice that is offered.
 * @csspart time - Each time that is free.
 * @csspart card - A status card.
 * @csspart product - Each product.
 * @csspart link - Each link of a block.
 * @csspart banner - What is wrong, or being waited for, above the input.
 * @csspart composer - The input with its button.
 * @csspart input - Where the visitor writes.
 * @csspart send - The button that sends, or stops the answer.
 *
 * @cssprop --workspace-chat-accent - The brand's colour: the launcher, the visitor's messages, links and buttons.
 * @cssprop --workspace-chat-on-accent - Text on the accent.
 * @cssprop --workspace-chat-surface - Behind everything.
 * @cssprop --workspace-chat-surface-raised - What stands out from the surface.
 * @cssprop --workspace-chat-text - Text on the surfaces.
 * @cssprop --workspace-chat-muted - Text that steps back: times, notices, sources.
 * @cssprop --workspace-chat-border - Lines between things.
 * @cssprop --workspace-chat-success - Something worked.
 * @cssprop --workspace-chat-warning - Something wants attention.
 * @cssprop --workspace-chat-danger - Something did not work.
 * @cssprop --workspace-chat-font - The fonts.
 * @cssprop --workspace-chat-font-size - Scales everything: all sizes below are in em of it.
 * @cssprop --workspace-chat-radius - The panel's corners.
 * @cssprop --workspace-chat-space - The room around things.
 * @cssprop --workspace-chat-width - The floating panel's width, as far as there is room.
 * @cssprop --workspace-chat-height - The floating panel's height, as far as there is room.
 * @cssprop --workspace-chat-offset-x - From the page's side to the launcher.
 * @cssprop --workspace-chat-offset-y - From the page's bottom to the launcher.
 * @cssprop --workspace-chat-shadow - Below the launcher and the panel.
 * @cssprop --workspace-chat-launcher-size - The launcher's width and height.
 * @cssprop --workspace-chat-visitor-bubble - Behind the visitor's messages.
 * @cssprop --workspace-chat-on-visitor-bubble - The visitor's text.
 * @cssprop --workspace-chat-agent-bubble - Behind the answers.
 * @cssprop --workspace-chat-on-agent-bubble - The answers' text.
 * @cssprop --workspace-chat-bubble-radius - The messages' corners.
 *
 * @cssState open - The panel is open.
 * @cssState busy - A message is on its way, or its answer.
 * @cssState unread - There are messages that the visitor has not seen.
 */
export class WorkspaceChatElement extends LitElement implements StagesHost {
  static override styles = [tokens, host, launcherStyles];

  static override properties: PropertyDeclarations = {
    baseUrl: { attribute: 'base-url' },
    publishableKey: { attribute: 'publishable-key' },
    agentId: { attribute: 'agent-id' },
    locale: {},
    mode: { reflect: true, useDefault: true },
    placement: { reflect: true, useDefault: true },
    open: { type: Boolean, reflect: true },
    heading: {},
    greeting: {},
    starters: { converter: parseStarters },
    colorScheme: { attribute: 'color-scheme', reflect: true, useDefault: true },
    hideLauncher: { type: Boolean, attribute: 'hide-launcher', reflect: true },
    launcherSelector: { attribute: 'launcher-selector' },
    imageHosts: { attribute: 'image-hosts' },
    storage: {},
    streaming: {},
    repliesUrl: { attribute: 'replies-url' },
    strings: { attribute: false },
  };

  /** The API's URL with its version prefix, such as `https://api.example/api/v2`. */
  declare baseUrl: string;
  /** The workspace's publishable key, `svc_pk_…`. */
  declare publishableKey: string;
  /** The agent that answers, `agt_…`. */
  declare agentId: string;
  /** A BCP 47 tag; null: the nearest `lang`, then the browser's language. */
  declare locale: string | null;
  /**
   * A launcher with its panel, a region that fills its own box, or the whole screen of a webview.
   * @type {'floating' | 'inline' | 'fullscreen'}
   */
  declare mode: Mode;
  /** The floating launcher's side, logical. */
  declare placement: 'end' | 'start';
  /** Whether the floating panel is open; the other modes have nothing to open. */
  declare open: boolean;
  /** The panel's title and accessible name; null: the localised one. */
  declare heading: string | null;
  /** Shown first, never sent. */
  declare greeting: string | null;
  /** Offered before the first message; a click sends it. */
  declare starters: readonly string[] | null;
  /** Light, dark, or what the visitor's system says. */
  declare colorScheme: 'auto' | 'light' | 'dark';
  /** No launcher: the page opens the chat itself. */
  declare hideLauncher: boolean;
  /** A CSS selector: clicks on those elements of the page open the chat. */
  declare launcherSelector: string | null;
  /** The only hosts that pictures of products may come from, between spaces; none by default. */
  declare imageHosts: string;
  /** Where the conversation is kept; `memory`: until the page goes. */
  declare storage: 'indexeddb' | 'memory';
  /** `off`: whole answers, asked for under an Idempotency-Key. */
  declare streaming: 'auto' | 'off';
  /** The site's own relay of a person's replies. */
  declare repliesUrl: string | null;
  /** Overrides any sentence, in both languages or in each; attributes win. */
  declare strings: StringOverrides | { en?: StringOverrides; ar?: StringOverrides } | null;

  /** Resolves when the element can be seen and a stored conversation is there again. */
  readonly ready: Promise<void>;
  /** Set by an opening of the visitor's own. @internal */
  opening: { from: HTMLElement | null } | null = null;
  /** @internal */
  readonly fetch = nativeFetch;
  readonly #internals = this.attachInternals();
  readonly #locale = new LocaleController(this);
  readonly #stages = new Stages(this);
  readonly #tools = new ToolRegistry(() => void this.#stages.core?.offerTools());
  readonly #blocks = new BlockRegistry(() => this.requestUpdate());
  #resolveReady = () => {};
  #contact: Contact = null;
  #problem: ConfigurationProblem | null = null;
  #unread = 0;
  #isConfigured = false;
  #wasOpen = false;
  #ended = new AbortController();

  constructor() {
    super();
    this.baseUrl = this.publishableKey = this.agentId = this.imageHosts = '';
    this.mode = 'floating';
    this.placement = 'end';
    this.colorScheme = 'auto';
    this.storage = 'indexeddb';
    this.streaming = 'auto';
    this.open = this.hideLauncher = false;
    this.locale = this.heading = this.greeting = this.starters = null;
    this.launcherSelector = this.repliesUrl = this.strings = null;
    this.ready = new Promise((resolve) => {
      this.#resolveReady = resolve;
    });
    // Set before the element was defined, it hides the accessor from here on.
    if (Object.hasOwn(this, 'contact')) {
      this.#contact = this.contact;
      Reflect.deleteProperty(this, 'contact');
    }
  }

  /** Who the visitor is: a proof, or a function that fetches one. Kept in memory alone. */
  get contact(): Contact {
    return this.#contact;
  }

  set contact(contact: Contact) {
    this.#contact = contact ?? null;
    this.#stages.conversation?.setContact(this.#contact);
  }

  /** The conversation's id; null before there is one. */
  get conversationId(): string | null {
    return this.#state?.conversationId ?? null;
  }

  /** Who answers: `ai_active`, `handoff_requested`, `human_active` or `closed`; null before a conversation. */
  get conversationState(): string | null {
    return this.#state?.conversationId ? this.#state.state : null;
  }

  /** How many messages the visitor has not seen. */
  get unreadCount(): number {
    return this.#unread;
  }

  /** A message is on its way, or its answer. */
  get busy(): boolean {
    return this.#state !== null && isBusy(this.#state);
  }

  /** Opens the panel. */
  show(): void {
    // Called in answer to a gesture, this is the visitor's own opening.
    if (navigator.userActivation?.isActive) this.#open(document.activeElement);
    else this.open = true;
  }

  /** Closes the panel. */
  hide(): void {
    this.open = false;
  }

  /** Opens the panel, or closes it. */
  toggle(): void {
    if (this.open) this.hide();
    else this.show();
  }

  /**
   * Sends the visitor's text.
   * @returns {Promise<Message | null>} The answer; null when there is none: the page objects, a person answers, or the turn failed.
   */
  async send(text: string): Promise<Message | null> {
    return this.#mayGo(text) ? this.#post(text) : null;
  }

  /** Sends what the visitor has written; false when the page objects. @internal */
  submit(text: string): boolean {
    const mayGo = this.#mayGo(text);
    if (mayGo) void this.#post(text);
    return mayGo;
  }

  /** Stops the answer that is coming in; what has come of it stays. */
  stop(): void {
    this.#stages.conversation?.stop();
  }

  /** Writes into the input, for the visitor to send. */
  setDraft(text: string): void {
    void this.#stages.load().then((conversation) => conversation?.setDraft(text));
  }

  /** Sets `contact`. */
  identify(contact: Contact): void {
    this.contact = contact;
  }

  /** The visitor is nobody from here on, in every tab; what was kept for them is deleted. */
  async logout(): Promise<void> {
    this.#contact = null;
    await (await this.#stages.load())?.logout();
  }

  /** Forgets the conversation in this browser: the next message starts a new one. */
  async reset(): Promise<void> {
    await (await this.#stages.load())?.reset();
  }

  /** Takes a message of a person from the site's own relay: a Message with its `conversation_id`. */
  receive(message: unknown): void {
    void this.#stages.load().then((conversation) => conversation?.receive(message));
  }

  /**
   * Offers a tool of the page to the agent, until the answer is called or the signal aborts.
   * @throws {TypeError} When its name is no snake_case name, or 20 tools are registered already.
   */
  registerTool<Args>(tool: ClientTool<Args>, options?: { signal?: AbortSignal }): () => void {
    return this.#tools.register(tool, options);
  }

  /**
   * Draws blocks of that type, also of the known types, until the answer is called. What the renderer returns stands in
   * the widget's shadow root; what the agent has written is not to be trusted as HTML.
   */
  registerBlock(type: string, renderer: BlockRenderer): () => void {
    return this.#blocks.register(type, renderer);
  }

  /** @internal */
  get tools(): ReadonlySet<ClientTool> {
    return this.#tools.tools;
  }

  /** @internal */
  get language(): 'en' | 'ar' {
    return this.#locale.language;
  }

  /** @internal */
  get relay(): string | null {
    return this.repliesUrl ? resolveUrl(this.repliesUrl) : null;
  }

  /** @internal */
  get isFloating(): boolean {
    return this.mode !== 'inline' && this.mode !== 'fullscreen';
  }

  /** The visitor sees the messages. @internal */
  get isVisible(): boolean {
    return this.isConnected && (this.open || !this.isFloating) && !document.hidden;
  }

  /** @internal */
  get launcher(): HTMLElement | null {
    return this.renderRoot.querySelector('.launcher-box');
  }

  /** @internal */
  view(strings: Strings, language: 'en' | 'ar'): ViewState {
    const own = overrideStrings(strings, this.#ownStrings(language));
    return {
      strings: own,
      dir: language === 'ar' ? 'rtl' : 'ltr',
      languageTag: this.#locale.tag,
      mode: this.mode,
      heading: this.heading ?? own.heading,
      greeting: this.greeting ?? own.greeting,
      starters: this.starters ?? own.starters,
      imageHosts: this.imageHosts ?? '',
      renderers: this.#blocks.renderers,
    };
  }

  /** @internal */
  onFailure(): void {
    this.dispatchEvent(new events.WorkspaceChatErrorEvent('chunk_failed', { retryable: true }));
    this.requestUpdate();
  }

  /** @internal */
  openLink(url: string): boolean {
    return this.dispatchEvent(new events.WorkspaceChatLinkEvent(url));
  }

  /** @internal */
  onChange(state: ConversationState, happened: Event[]): void {
    this.#mark('busy', isBusy(state));
    this.#count(state.unread);
    for (const event of happened) this.dispatchEvent(event);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#ended = new AbortController();
    const { signal } = this.#ended;
    document.addEventListener('click', this.#onPageClick, { signal });
    document.addEventListener('visibilitychange', () => this.#see(), { signal });
    addEventListener('pagehide', () => this.#stages.conversation?.suspend(), { signal });
    addEventListener('pageshow', () => void this.#stages.conversation?.resume(), { signal });
    // The top layer forgets an element that was taken out of the page.
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#ended.abort();
    // Taken out to be put elsewhere, an element is back before the next task.
    setTimeout(() => {
      if (this.isConnected) return;
      this.#stages.configure(null);
      this.#isConfigured = false;
    });
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!this.isConnected) return;
    this.#locale.resolve();
    const configuring = ['baseUrl', 'publishableKey', 'agentId', 'storage'];
    if (!this.#isConfigured || configuring.some((name) => changed.has(name))) this.#configure();
    if (changed.has('repliesUrl')) void this.#stages.core?.follow();
    if (this.open !== this.#wasOpen) this.#onOpenChanged();
    if (!this.open && this.isFloating && !this.#stages.hasPanel) return;
    if (this.#problem) void this.#stages.speak();
    else void this.#stages.loadPanel();
  }

  protected override render(): TemplateResult {
    const problem = this.#problemText();
    const { tag, dir } = this.#locale;
    if (!this.isFloating && problem) return html`<p class="root problem" dir=${dir} lang=${tag}>${problem}</p>`;
    return html`
      ${problem ? nothing : this.#stages.renderPanel()}
      ${this.isFloating && (problem || !this.hideLauncher) ? this.#renderLauncher(problem) : nothing}
    `;
  }

  protected override updated(): void {
    const { launcher } = this;
    // Once the panel is loaded, its surface decides over both.
    const isPlaced = !launcher || launcher.matches(':popover-open');
    if (this.isConnected && !this.#stages.hasPanel && !isPlaced) launcher.showPopover();
    this.#see();
  }

  get #isOpenInTab() {
    return tabFlag(`workspace-chat-open ${this.agentId}`);
  }

  #mayGo(text: string): boolean {
    return this.dispatchEvent(new events.WorkspaceChatSendEvent(text));
  }

  async #post(text: string): Promise<Message | null> {
    const conversation = await this.#stages.load();
    const response = await conversation?.send(text);
    return response?.message ?? null;
  }

  get #state(): ConversationState | null {
    return this.#stages.conversation?.store.state ?? null;
  }

  #renderLauncher(problem: string): TemplateResult {
    const { tag: lang, dir, language } = this.#locale;
    const isOpen = this.open && !problem;
    return launcher({
      strings: { ...launcherStrings[language], ...this.#ownStrings(language) },
      dir,
      lang,
      isOpen,
      unread: this.#unread,
      problem,
      hasButton: !this.hideLauncher,
      onClick: ({ currentTarget }) => (isOpen ? this.hide() : this.#open(currentTarget)),
      onIntent: prefetch,
    });
  }

  /** What keeps the panel from being shown, in words; empty when nothing does, or nobody has asked for it. */
  #problemText(): string {
    if (this.isFloating && !this.open) return '';
    if (this.#stages.hasFailed) return launcherStrings[this.language].chunkFailed;
    // What exactly is wrong is for the site's owner, in the console.
    return (this.#problem && this.#stages.strings?.problems.not_authorised) ?? '';
  }

  #ownStrings(language: 'en' | 'ar'): StringOverrides | undefined {
    const { strings } = this;
    if (!strings) return undefined;
    return 'en' in strings || 'ar' in strings ? strings[language] : (strings as StringOverrides);
  }

  /** Takes the configuration as it is now: another conversation, or a problem that is said once. */
  #configure(): void {
    const before = this.#problem;
    const checked = checkConfiguration(this);
    this.#isConfigured = true;
    this.#problem = typeof checked === 'string' ? checked : null;
    this.#stages.configure(typeof checked === 'string' ? null : checked);
    this.#count(0);
    if (!this.#problem) void this.#wake();
    // A page may set the properties one by one, as it learns them.
    else if (this.#problem !== before) {
      const problem = this.#problem;
      whenIdle(() => this.#sayProblem(problem));
    }
  }

  #sayProblem(problem: ConfigurationProblem | null): void {
    if (!problem || problem !== this.#problem) return;
    void logProblem(problem);
    this.dispatchEvent(new events.WorkspaceChatErrorEvent('configuration'));
  }

  /** Looks whether there is something to go on with, and loads no more than that takes. */
  async #wake(): Promise<void> {
    if (this.isFloating && this.#isOpenInTab.get()) this.open = true;
    const unread = await this.#stages.peek();
    if (unread) this.#count(unread);
    if (unread !== null || this.repliesUrl) await this.#stages.load();
    this.#resolveReady();
    this.dispatchEvent(new events.WorkspaceChatReadyEvent());
    whenIdle(prefetch);
  }

  /** The visitor's own opening: the focus moves into the panel, and back when it closes. */
  #open(from: EventTarget | null): void {
    this.opening = { from: from instanceof HTMLElement ? from : null };
    this.open = true;
    // After a failure this is the next attempt.
    this.#stages.hasFailed = false;
    this.requestUpdate();
  }

  #onOpenChanged(): void {
    this.#wasOpen = this.open;
    // Kept for the tab's next page when the visitor opened it, not when the page did.
    if (this.opening || !this.open) this.#isOpenInTab.set(this.open);
    this.#mark('open', this.open);
    if (this.isFloating) {
      this.dispatchEvent(this.open ? new events.WorkspaceChatOpenEvent() : new events.WorkspaceChatCloseEvent());
    }
  }

  /** Tells the conversation whether it is seen. */
  #see(): void {
    const { conversation } = this.#stages;
    if (!conversation) return;
    conversation.isVisible = this.isVisible;
    if (this.isVisible) conversation.store.dispatch({ type: 'read' });
  }

  #count(unread: number): void {
    if (unread === this.#unread) return;
    this.#unread = unread;
    this.#mark('unread', unread > 0);
    this.requestUpdate();
  }

  #mark(state: 'open' | 'busy' | 'unread', isOn: boolean): void {
    if (isOn) this.#internals.states.add(state);
    else this.#internals.states.delete(state);
  }

  readonly #onPageClick = (event: MouseEvent): void => {
    const { launcherSelector } = this;
    if (!launcherSelector || this.open) return;
    const opener = event.composedPath().find((node) => node instanceof Element && node.matches(launcherSelector));
    if (opener) this.#open(opener);
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'workspace-chat': WorkspaceChatElement;
  }
}
