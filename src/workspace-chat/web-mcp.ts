/**
 * Exchanges tools with the page's WebMCP (`document.modelContext`): registers the element's tools there, and offers the page's
 * tools to the agent. Loaded where the browser has WebMCP.
 */
import type { ReactiveController } from 'lit';
import { systemClock as clock } from '../api/system-clock.ts';
import { toHex } from '../api/encoding.ts';
import type { ClientTool } from '../chat/tools/client-tool.ts';
import type { ModelContext } from '../chat/tools/model-context.ts';
import { PageTools } from '../chat/tools/page-tools.ts';
import { PublishedTools } from '../chat/tools/published-tools.ts';
import type { ToolRunHost } from '../chat/tools/run-tool.ts';
import { overrideStrings, textIn } from '../locale/strings.ts';
import { consentQuestion } from '../locale/tool-text.ts';
import type { ChatHost } from './chat-host.ts';
import { pageStrings } from './page-strings.ts';

class WebMcp implements ReactiveController {
  readonly #host: ChatHost;
  readonly #context: ModelContext;
  readonly #published: PublishedTools;
  #pageTools: PageTools | null = null;

  constructor(host: ChatHost) {
    this.#host = host;
    this.#context = (document as unknown as { modelContext: ModelContext }).modelContext;
    this.#published = new PublishedTools({
      context: this.#context,
      clock,
      createId: () => toHex(crypto.getRandomValues(new Uint8Array(12))),
      conversationId: () => host.conversation?.store.state.conversationId ?? null,
      askVisitor: (...call) => this.#askVisitor(...call),
    });
    host.element.addController(this);
  }

  /** The element has been updated, also because its tools have changed. */
  hostUpdated(): void {
    const { element, tools } = this.#host;
    const { isConnected, pageTools } = element;
    const hasChanged = this.#published.update(isConnected ? tools.tools : []);
    if (!isConnected || !pageTools) this.#stopFollowing();
    else if (hasChanged || !this.#pageTools) void this.#followPage().refresh();
  }

  hostDisconnected(): void {
    // An element that is moved is connected again before the next task.
    setTimeout(() => {
      if (!this.#host.element.isConnected) this.hostUpdated();
    });
  }

  #followPage(): PageTools {
    return (this.#pageTools ??= new PageTools(this.#context, this.#host.tools));
  }

  #stopFollowing(): void {
    this.#pageTools?.stop();
    this.#pageTools = null;
  }

  /** Asks in a dialog of the browser, because a call of another agent belongs to no reply of the chat. */
  async #askVisitor(
    { title, description }: ClientTool,
    ...[question, values]: Parameters<ToolRunHost['askVisitor']>
  ): Promise<boolean> {
    const { element, locale } = this.#host;
    const { language } = locale;
    const strings = overrideStrings(await this.#host.loadStrings(), pageStrings(element, locale));
    const view = { language, strings };
    const lines = values.map(([label, value]) => `${textIn(label, language)}: ${value}`);
    return confirm([consentQuestion({ title: title || description, question }, view), ...lines].join('\n'));
  }
}

const exchanges = new WeakMap<ChatHost, WebMcp>();

/** Starts the exchange of tools, once for each element. */
export const exchangeTools = (host: ChatHost): void => {
  if (exchanges.has(host)) return;
  const exchange = new WebMcp(host);
  exchanges.set(host, exchange);
  exchange.hostUpdated();
};
