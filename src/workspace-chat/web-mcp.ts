/**
 * Exchanges tools with the page's WebMCP (`document.modelContext`): registers the element's tools there, and offers the page's
 * tools to the agent. Loaded where the browser has WebMCP.
 */
import type { ReactiveController } from 'lit';
import { systemClock as clock } from '../api/clock.ts';
import { toHex } from '../api/encoding.ts';
import type { ClientTool } from '../chat/tools/client-tool.ts';
import type { ModelContext } from '../chat/tools/model-context.ts';
import { PageTools } from '../chat/tools/page-tools.ts';
import { PublishedTools } from '../chat/tools/published-tools.ts';
import type { ToolRunHost } from '../chat/tools/run-tool.ts';
import type { ToolRegistry } from '../chat/tools/tool-registry.ts';
import type { LocaleController } from '../controllers/locale-controller.ts';
import { textIn } from '../locale/strings.ts';
import { consentQuestion } from '../locale/tool-strings.ts';
import { pageStrings } from './view-state.ts';
import type { WorkspaceChatProperties } from './properties.ts';

/** The element, as its exchange of tools sees it. */
export interface WebMcpHost {
  readonly element: WorkspaceChatProperties;
  readonly tools: ToolRegistry;
  readonly locale: LocaleController;
  readonly state: { readonly conversationId: string | null } | null;
}

class WebMcp implements ReactiveController {
  readonly #host: WebMcpHost;
  readonly #context: ModelContext;
  readonly #published: PublishedTools;
  #pageTools: PageTools | null = null;

  constructor(host: WebMcpHost) {
    this.#host = host;
    this.#context = (document as unknown as { modelContext: ModelContext }).modelContext;
    this.#published = new PublishedTools({
      context: this.#context,
      clock,
      createId: () => toHex(crypto.getRandomValues(new Uint8Array(12))),
      conversationId: () => host.state?.conversationId ?? null,
      askVisitor: async (...call) => this.#askVisitor(...call),
    });
    host.element.addController(this);
  }

  /** The element has been updated, also because its tools have changed. */
  hostUpdated(): void {
    const { element, tools } = this.#host;
    const { isConnected, pageTools } = element;
    const hasChanged = this.#published.update(isConnected ? [...tools.tools] : []);
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
  #askVisitor(
    { title, description }: ClientTool,
    ...[question, values]: Parameters<ToolRunHost['askVisitor']>
  ): boolean {
    const { element, locale } = this.#host;
    const { language } = locale;
    const view = { language, overrides: pageStrings(element, locale) };
    const lines = values.map(([label, value]) => `${textIn(label, language)}: ${value}`);
    return confirm([consentQuestion({ title: title || description, question }, view), ...lines].join('\n'));
  }
}

const exchanges = new WeakMap<WebMcpHost, WebMcp>();

/** Starts the exchange of tools, once for each element. */
export const exchangeTools = (host: WebMcpHost): void => {
  if (exchanges.has(host)) return;
  const exchange = new WebMcp(host);
  exchanges.set(host, exchange);
  exchange.hostUpdated();
};
