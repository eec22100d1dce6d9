/** Replaces the element in DOM emulations, which cannot run it: it records calls, fires the public events and runs tools. */
import type { ChatResponse, JsonObject, Message, ToolResultRequest } from '../../../contract/wire.ts';
import { systemClock } from '../../api/system-clock.ts';
import type { Contact } from '../../chat/identity.ts';
import type { ClientTool } from '../../chat/tools/client-tool.ts';
import { ClientTools } from '../../chat/tools/client-tools.ts';
import { ToolRegistry } from '../../chat/tools/tool-registry.ts';
import {
  WorkspaceChatConversationEvent,
  WorkspaceChatMessageEvent,
  WorkspaceChatSendEvent,
  WorkspaceChatToolEvent,
} from '../../workspace-chat/conversation-events.ts';
import {
  WorkspaceChatCloseEvent,
  WorkspaceChatOpenEvent,
  WorkspaceChatReadyEvent,
} from '../../workspace-chat/events.ts';
import { testingMark } from '../../workspace-chat/testing-mark.ts';
import type { FakeToolResult } from './fake-reply.ts';

// The package defines an element that shows nothing a moment after it is imported. A test has its stub instead.
Object.assign(globalThis, { [testingMark]: true });

/** A call of one of the element's methods. */
export interface StubCall {
  method: string;
  args: readonly unknown[];
}

// Where there is no DOM, the module can still be imported.
const BaseElement = globalThis.HTMLElement ?? Object;

/** Makes a class that is defined already one of stubs, because a tag is defined only once. What was created before stays as it is. */
const becomeStub = (defined: CustomElementConstructor): void => {
  for (const name of Object.getOwnPropertyNames(defined.prototype))
    if (name !== 'constructor') Reflect.deleteProperty(defined.prototype, name);
  Object.setPrototypeOf(defined, WorkspaceChatStub);
  Object.setPrototypeOf(defined.prototype, WorkspaceChatStub.prototype);
};

/**
 * A `<workspace-chat>` without views. In a DOM emulation the package defines an element that shows nothing: the stub replaces it,
 * in any order of the imports.
 * @example
 * ```js
 * WorkspaceChatStub.define();
 * const chat = document.querySelector('workspace-chat');
 * button.click();
 * expect(chat.calls).toEqual([{ method: 'show', args: [] }]);
 * ```
 */
export class WorkspaceChatStub extends BaseElement {
  baseUrl = '';
  publishableKey = '';
  agentId = '';
  open = false;
  contact: Contact = null;
  conversationId: string | null = null;
  conversationState: string | null = null;
  unreadCount = 0;
  busy = false;
  readonly ready = Promise.resolve();
  /** The calls of the element's methods, in order. */
  readonly calls: StubCall[] = [];
  readonly #tools = new ToolRegistry(() => {});
  readonly #replies: string[] = [];
  #count = 0;

  /**
   * Defines the tag with the stub, also where the package has defined an element that shows nothing.
   * @throws {Error} When the tag is that of the chat or of another element, as in a browser.
   */
  static define(): void {
    const defined = customElements.get('workspace-chat');
    if (!defined) return customElements.define('workspace-chat', WorkspaceChatStub);
    if (defined === WorkspaceChatStub || defined.prototype instanceof WorkspaceChatStub) return;
    if (!(testingMark in defined))
      throw new Error('WorkspaceChatStub: define the stub before “workspace-chat” is imported.');
    becomeStub(defined);
  }

  connectedCallback(): void {
    queueMicrotask(() => this.dispatchEvent(new WorkspaceChatReadyEvent()));
  }

  show(): void {
    this.#record('show');
    this.#setOpen(true);
  }

  hide(): void {
    this.#record('hide');
    this.#setOpen(false);
  }

  toggle(): void {
    this.#record('toggle');
    this.#setOpen(!this.open);
  }

  closeTopmost(): boolean {
    this.#record('closeTopmost');
    const wasOpen = this.open;
    this.#setOpen(false);
    return wasOpen;
  }

  /** Fires `send`, then `message` with the reply that the test has scripted. Returns null when there is none. */
  async send(text: string): Promise<ChatResponse | null> {
    this.#record('send', text);
    if (!this.dispatchEvent(new WorkspaceChatSendEvent(text))) return null;
    const content = this.#replies.shift();
    if (content === undefined) return null;
    if (this.conversationId === null) this.#startConversation();
    const message: Message = { id: this.#id('msg'), role: 'assistant', content, actor_type: 'ai' };
    this.dispatchEvent(new WorkspaceChatMessageEvent(message));
    const { conversationId } = this;
    return {
      conversation_id: conversationId!,
      message,
      refused: false,
      sources: [],
      lead_captured: false,
      degraded: false,
    };
  }

  suggest(texts: readonly string[]): void {
    this.#record('suggest', texts);
  }

  stop(): void {
    this.#record('stop');
  }

  setDraft(text: string): void {
    this.#record('setDraft', text);
  }

  identify(contact: Contact): void {
    this.#record('identify', contact);
    this.contact = contact;
  }

  async logout(): Promise<void> {
    this.#record('logout');
    this.contact = null;
    this.#endConversation();
  }

  async reset(): Promise<void> {
    this.#record('reset');
    this.#endConversation();
  }

  receive(message: unknown): void {
    this.#record('receive', message);
    this.dispatchEvent(new WorkspaceChatMessageEvent(message as Message));
  }

  showTeaser(text: string, options?: { starters?: readonly string[] }): void {
    this.#record('showTeaser', text, options);
  }

  registerTool<Args = JsonObject>(tool: ClientTool<Args>, options?: { signal?: AbortSignal }): () => void {
    this.#record('registerTool', tool);
    return this.#tools.register(tool, options);
  }

  registerBlock(type: string, renderer: unknown): () => void {
    this.#record('registerBlock', type, renderer);
    return () => {};
  }

  registerLocale(tag: string, locale: unknown): () => void {
    this.#record('registerLocale', tag, locale);
    return () => {};
  }

  /**
   * Scripts the replies to the next messages, in order.
   * @example chat.reply('We open at nine.');
   */
  reply(...texts: string[]): void {
    this.#replies.push(...texts);
  }

  /**
   * Runs a registered tool as the agent would: its arguments are validated, and its result is checked.
   * @param options.consent The visitor's decision about a tool with `confirm`. True by default.
   * @returns The result that the agent would receive.
   * @example expect(await chat.callTool('get_cart')).toEqual({ name: 'get_cart', ok: true, result: { total: 3 } });
   */
  async callTool(name: string, args: JsonObject = {}, options: { consent?: boolean } = {}): Promise<FakeToolResult> {
    const { consent = true } = options;
    if (this.conversationId === null) this.#startConversation();
    const conversationId = this.conversationId!;
    const tools = new ClientTools(this.#tools);
    let received: FakeToolResult = { name, ok: false, error: 'no_result' };
    const call = { conversation_id: conversationId, call_id: this.#id('call'), name, arguments: args };
    await tools.run(call, {
      clock: systemClock,
      random: () => 0,
      signal: new AbortController().signal,
      report: ({ callId, phase }) => {
        this.dispatchEvent(new WorkspaceChatToolEvent(name, callId, phase));
        // The prompt opens after this report.
        if (phase === 'asked') queueMicrotask(() => tools.consent(callId, consent));
      },
      archive: { changeCalls: async () => {} },
      client: {
        post: async (_path, body) => {
          const { ok, result, error } = JSON.parse(body) as ToolResultRequest;
          received = { name, ok, ...(result && { result }), ...(error && { error }) };
        },
      },
    });
    return received;
  }

  #record(method: string, ...args: unknown[]): void {
    this.calls.push({ method, args });
  }

  #id(prefix: string): string {
    return `${prefix}_stub_${++this.#count}`;
  }

  #setOpen(isOpen: boolean): void {
    if (isOpen === this.open) return;
    this.open = isOpen;
    this.toggleAttribute('open', isOpen);
    this.dispatchEvent(isOpen ? new WorkspaceChatOpenEvent() : new WorkspaceChatCloseEvent());
  }

  #startConversation(): void {
    this.conversationId = this.#id('cnv');
    this.conversationState = 'ai_active';
    this.dispatchEvent(new WorkspaceChatConversationEvent(this.conversationId, 'started'));
  }

  #endConversation(): void {
    const { conversationId } = this;
    this.conversationId = this.conversationState = null;
    if (conversationId) this.dispatchEvent(new WorkspaceChatConversationEvent(conversationId, 'ended'));
  }
}
