/** The public element `<workspace-chat>`: its attributes, properties, methods, events, slots and CSS parts. */
import type { ChatResponse, JsonObject } from '../../contract/wire.ts';
import type { Contact } from '../chat/identity.ts';
import type { ConversationStorage } from '../chat/storage/storage.ts';
import type { ClientTool } from '../chat/tools/client-tool.ts';
import type { BlockRenderer } from '../controllers/block-renderer.ts';
import type { LocaleDefinition } from '../locale/locale-definition.ts';
import { chatNoticeStyles } from '../elements/chat-notice.ts';
import { launcherStyles } from '../elements/launcher.ts';
import { adopt } from '../styles/adopt.ts';
import { host } from '../styles/host.ts';
import { tokens } from '../styles/tokens.ts';
import { ElementHost } from './element-host.ts';
import { whenShown } from './idle.ts';
import type { ListenerArguments } from './feedback-listeners.ts';
import { normalize, WorkspaceChatProperties } from './properties.ts';
import { version } from './version.ts';

type TypedListener<Type extends keyof HTMLElementEventMap> = (
  this: HTMLElement,
  event: HTMLElementEventMap[Type],
) => unknown;

/** Options of the constructor, for code that creates the element itself. */
export interface WorkspaceChatOptions {
  /** Returns a storage that replaces the browser's, or null for the browser's. Called when a conversation begins. */
  conversationStorage?: () => ConversationStorage | null;
}

/**
 * A chat with one of a workspace's agents.
 *
 * @tagname workspace-chat
 *
 * @fires {WorkspaceChatReadyEvent} workspace-chat-ready - The methods can be called, and a stored conversation is restored.
 * @fires {WorkspaceChatOpenEvent} workspace-chat-open - The panel opened.
 * @fires {WorkspaceChatCloseEvent} workspace-chat-close - The panel closed.
 * @fires {WorkspaceChatSendEvent} workspace-chat-send - A text is about to be sent. Canceling the event prevents that.
 * @fires {WorkspaceChatMessageEvent} workspace-chat-message - A reply is complete, or a team member has written.
 * @fires {WorkspaceChatConversationEvent} workspace-chat-conversation - A conversation started, resumed or ended.
 * @fires {WorkspaceChatStateEvent} workspace-chat-state - The conversation's state changed: the assistant or a person replies.
 * @fires {WorkspaceChatToolEvent} workspace-chat-tool - A client tool entered another phase.
 * @fires {WorkspaceChatLeadEvent} workspace-chat-lead - The visitor left details that became a lead.
 * @fires {WorkspaceChatUnreadEvent} workspace-chat-unread - The number of unread messages changed.
 * @fires {WorkspaceChatLinkEvent} workspace-chat-link - The visitor activated a link of the conversation. Canceling the event lets the page handle the link.
 * @fires {WorkspaceChatFormEvent} workspace-chat-form - The visitor submitted a form.
 * @fires {WorkspaceChatConsentEvent} workspace-chat-consent - The visitor has agreed to the text of `consent`.
 * @fires {WorkspaceChatRatingEvent} workspace-chat-rating - The visitor rated the conversation, or commented on the rating.
 * @fires {WorkspaceChatFeedbackEvent} workspace-chat-feedback - The visitor rated a reply, or commented on the rating.
 * @fires {WorkspaceChatErrorEvent} workspace-chat-error - Something failed. The visitor already sees what concerns them.
 *
 * @slot launcher-icon - Replaces the launcher's icon.
 * @slot header-start - Content before the heading, such as a logo.
 * @slot header-end - Content after the heading.
 * @slot greeting - Replaces the greeting.
 * @slot before-input - Content between the messages and the input.
 * @slot footer - Content below the notice.
 *
 * @cssState open - The panel is open.
 * @cssState busy - A message is being sent, or a reply is streaming.
 * @cssState unread - There are unread messages.
 *
 * @example
 * ```html
 * <workspace-chat base-url="https://api.example/api/v2" publishable-key="svc_pk_…" agent-id="agt_…"></workspace-chat>
 * ```
 */
export class WorkspaceChatElement extends WorkspaceChatProperties {
  /** The version of the package. */
  static readonly version = version;

  static override styles = [tokens, host, launcherStyles, chatNoticeStyles];

  readonly #host: ElementHost;

  constructor({ conversationStorage }: WorkspaceChatOptions = {}) {
    super();
    this.#host = new ElementHost(this, this.attachInternals(), conversationStorage);
    // A property that was set before the element was defined hides the accessor.
    if (Object.hasOwn(this, 'contact')) {
      const { contact } = this;
      Reflect.deleteProperty(this, 'contact');
      this.contact = contact;
    }
  }

  override addEventListener<Type extends keyof HTMLElementEventMap>(
    type: Type,
    listener: TypedListener<Type>,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(...args: ListenerArguments): void {
    super.addEventListener(...args);
    this.#host.feedbackListeners.add(...args);
  }

  override removeEventListener<Type extends keyof HTMLElementEventMap>(
    type: Type,
    listener: TypedListener<Type>,
    options?: boolean | EventListenerOptions,
  ): void;
  override removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void;
  override removeEventListener(...args: ListenerArguments): void {
    super.removeEventListener(...args);
    this.#host.feedbackListeners.remove(...args);
  }

  /**
   * The first update waits until the visitor sees a page that is only prerendered: what the tab stores may change before. It also
   * waits for the script that adds the element: the browser connects it before it disconnects the one that new markup replaces.
   */
  protected override async scheduleUpdate(): Promise<void> {
    if (!this.hasUpdated) await whenShown();
    void super.scheduleUpdate();
  }

  /** Resolves when the methods can be called and a stored conversation is restored. */
  get ready(): Promise<void> {
    return this.#host.ready;
  }

  /** The visitor's identity: a proof, or a function that returns one. It is kept in memory only. */
  get contact(): Contact {
    return this.#host.contact;
  }

  set contact(contact: Contact) {
    this.#host.setContact(contact ?? null);
  }

  /** The conversation's id, or null before the first reply. */
  get conversationId(): string | null {
    return this.#host.state?.conversationId ?? null;
  }

  /** The conversation's state: `ai_active`, `handoff_requested`, `human_active` or `closed`. Null before the first reply. */
  get conversationState(): string | null {
    return this.conversationId === null ? null : this.#host.state!.state;
  }

  /** The number of unread messages. */
  get unreadCount(): number {
    return this.#host.unread;
  }

  /** Whether a message is being sent or a reply is streaming. */
  get busy(): boolean {
    return this.#host.isBusy;
  }

  /**
   * Opens the panel. Within a user gesture, focus moves into it.
   * @example chat.show();
   */
  show(): void {
    if (navigator.userActivation?.isActive) this.#host.openByVisitor(document.activeElement);
    else this.open = true;
  }

  /**
   * Closes the panel.
   * @example chat.hide();
   */
  hide(): void {
    this.open = false;
    // The panel of the tab's last page may not be open again yet.
    this.#host.openFlag.write(false);
  }

  /**
   * Opens the panel if it is closed, and closes it if it is open.
   * @example helpButton.addEventListener('click', () => chat.toggle());
   */
  toggle(): void {
    if (this.open) this.hide();
    else this.show();
  }

  /**
   * Closes the topmost open layer: the menu, or else the floating panel. For the back button of an app.
   * @returns {boolean} Whether a layer was closed.
   * @example if (!chat.closeTopmost()) app.goBack();
   */
  closeTopmost(): boolean {
    return this.#host.closeTopmost();
  }

  /**
   * Sends a message as the visitor. It waits for a turn that is in progress. 8,000 characters at most.
   * @returns {Promise<ChatResponse | null>} The response (the contract's "Chat") without the conversation's token, or null when there is none: a listener
   * canceled `workspace-chat-send`, the visitor stopped the turn, or the turn failed.
   * @example const response = await chat.send('When are you open?');
   */
  async send(text: string): Promise<ChatResponse | null> {
    return this.#host.send(text);
  }

  /**
   * Stops the reply that is streaming. The text that has arrived stays.
   * @example chat.stop();
   */
  stop(): void {
    this.#host.conversation?.stop();
  }

  /**
   * Replaces the text in the input, for the visitor to edit and send.
   * @example chat.setDraft('I have a question about order 1001.');
   */
  setDraft(text: string): void {
    // A page may pass the number of an order.
    const draft = `${(text as string | number | null) ?? ''}`;
    void this.#host.load().then((conversation) => conversation?.setDraft(draft));
  }

  /**
   * Sets the visitor's identity and proves it at once (the contract's "Visitor identity"). The transcript is hidden until then.
   * Null says that nobody is signed in: it erases the stored conversation of a customer, and keeps an anonymous one.
   * @example chat.identify({ token: await fetchIdentityToken() });
   */
  identify(contact: Contact): void {
    this.#host.identify(contact);
  }

  /**
   * Removes the visitor's identity in every tab and deletes what was stored for them.
   * @returns {Promise<void>} A promise that settles when the stored conversation is deleted.
   * @example await chat.logout();
   */
  async logout(): Promise<void> {
    await this.#host.logout();
  }

  /**
   * Deletes the conversation in this browser. The next message starts a new one.
   * @returns {Promise<void>} A promise that settles when the stored conversation is deleted.
   * @example await chat.reset();
   */
  async reset(): Promise<void> {
    await this.#host.reset();
  }

  /**
   * Shows a text beside the closed launcher, once in a visit, for an event of the page. A visitor who has opened the chat or
   * dismissed the teaser before does not see it.
   * @param options.starters Messages below the text. Selecting one opens the chat and sends it.
   * @example chat.showTeaser('Was your card declined?', { starters: ['Which cards do you accept?'] });
   */
  showTeaser(text: string, { starters = [] }: { starters?: readonly string[] } = {}): void {
    void this.#host.showTeaser(text, starters);
  }

  /**
   * Shows a team member's message from the site's own relay.
   * @param message A Message of the API with its `conversation_id`. Messages of other conversations are ignored.
   * @example relay.onmessage = ({ data }) => chat.receive(JSON.parse(data));
   */
  receive(message: unknown): void {
    void this.#host.receive(message);
  }

  /**
   * Offers up to four messages below the last reply, until the next message. Those of the agent come first.
   * @example chat.suggest(['Where is my order?', 'Talk to a person']);
   */
  suggest(texts: readonly string[]): void {
    void this.#host.suggest(texts);
  }

  /**
   * Registers a client tool, which the agent can then call (the contract's "Client tools").
   * @param {ClientTool} tool The tool. Its type parameter is the type of its arguments.
   * @param options.signal Unregisters the tool when it aborts.
   * @returns {() => void} An unregister function.
   * @throws {TypeError} When the name is not in snake_case, `run` is missing, `parameters` is no Standard Schema, or 20 tools are
   *   registered already.
   * @example
   * ```js
   * chat.registerTool({ name: 'get_cart', description: 'Returns the visitor’s cart.', run: () => shop.cart() });
   * ```
   */
  registerTool<Args = JsonObject>(tool: ClientTool<Args>, options?: { signal?: AbortSignal }): () => void {
    return this.#host.tools.register(tool, options);
  }

  /**
   * Registers a renderer for blocks of a type, which may be one of the built-in types. The returned node is placed in the
   * widget's shadow root. Never interpret the block's texts as HTML: the agent wrote them.
   * @returns {() => void} An unregister function.
   * @example chat.registerBlock('weather', (block) => `${block.city}: ${block.temperature} °C`);
   */
  registerBlock(type: string, renderer: BlockRenderer): () => void {
    return this.#host.blocks.register(type, renderer);
  }

  /**
   * Registers a language, which `locale` and the page's `lang` can then name. A tag includes its regions: `fr` is also used for
   * `fr-CA`. Eighteen languages are in `workspace-chat/locales`.
   * @param tag A BCP 47 tag.
   * @returns {() => void} An unregister function.
   * @throws {RangeError} When the tag is not a BCP 47 tag.
   * @example chat.registerLocale('fr', fr); // import fr from 'workspace-chat/locales/fr';
   */
  registerLocale(tag: string, locale: LocaleDefinition): () => void {
    return this.#host.locale.register(tag, locale);
  }

  protected override firstUpdated(): void {
    adopt(this.shadowRoot!);
    void this.#host.launcherPlace.adaptColors(tokens);
  }

  /** A browser keeps the style sheets of a script in its own document. */
  adoptedCallback(): void {
    if (this.ownerDocument !== document)
      console.error('workspace-chat: create the element in the document that shows it. Moved, it has no styles.');
    // Before its first time on a page, it has no shadow root.
    else if (this.shadowRoot) adopt(this.shadowRoot);
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    normalize(this, changed);
    this.#host.willUpdate(changed);
  }

  protected override render(): unknown {
    return this.#host.render();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'workspace-chat': WorkspaceChatElement;
  }
}
