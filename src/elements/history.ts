/**
 * The past conversations of a signed-in customer, from the site's own backend. Loaded when the page has `history-url`.
 * `GET` of that URL returns `{conversations: [{id, started_at, text}]}`, and with `?conversation_id=…` `{messages: Message[]}`.
 */
import { css, html, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { anySignal } from '../api/abort.ts';
import { decodeMessage } from '../api/decode.ts';
import { toObject, toObjects, toText } from '../api/decode-values.ts';
import { replyToMessage } from '../chat/state/reply-events.ts';
import type { ChatMessage } from '../chat/state/state.ts';
import { formatDay } from '../locale/format.ts';
import { directionOfText, renderRuns } from '../markdown/index.ts';
import { adopt } from '../styles/adopt.ts';
import { defineElements } from './define-elements.ts';
import { nextIcon } from './icons.ts';
import { SheetElement, sheetStyles } from './sheet.ts';

/** The timeout of the site's backend, in milliseconds. */
const timeout = 30_000;

/** The blocks that only show something. */
const shownBlocks = new Set(['status_card', 'links']);

interface PastConversation {
  id: string;
  startedAt: number;
  /** Its first line. */
  text: string;
}

const decodeConversations = (value: unknown): PastConversation[] =>
  toObjects(toObject(value)['conversations']).flatMap(({ id, started_at, text }) =>
    toText(id) ? [{ id: toText(id), startedAt: Date.parse(toText(started_at)) || 0, text: toText(text) }] : [],
  );

const decodeMessages = (value: unknown): ChatMessage[] =>
  toObjects(toObject(value)['messages']).flatMap((item, index): ChatMessage[] => {
    const message = decodeMessage(item);
    if (!message) return [];
    const { content: text, lang, sources } = message;
    const key = message.id || `past-${index}`;
    const at = Date.parse(message.created_at ?? '') || 0;
    if (message.role === 'user') return [{ role: 'user', key, text, at, delivery: 'confirmed' }];
    const blocks = message.blocks?.filter(({ type }) => shownBlocks.has(type)) ?? [];
    const reply = replyToMessage({ key, at, text, sources: sources ?? [], blocks, tools: [] }, 'whole');
    // Without an id there is nothing to rate.
    return [{ ...reply, lang, actor: message.actor_type ?? 'ai' }];
  });

const historyStyles = css`
  .past {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.5em;
    padding: 0;
    list-style: none;
  }

  .past .starter {
    inline-size: 100%;
  }

  .past small {
    display: block;
    color: var(--_muted);
  }

  .past .starter .text {
    display: -webkit-box;
    text-align: match-parent;
    overflow: hidden;
    overflow-wrap: anywhere;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
  }

  .past .starter > span {
    min-inline-size: 0;
  }
`;

class HistoryElement extends SheetElement {
  static override properties = {
    conversations: { state: true },
    messages: { state: true },
    hasFailed: { state: true },
  };

  /** Null while they are loaded. */
  declare conversations: readonly PastConversation[] | null;
  /** Those of the conversation that is open, or null. */
  declare messages: readonly ChatMessage[] | null;
  declare hasFailed: boolean;
  /** The request that is in flight, which the next one replaces. */
  #reading = new AbortController();

  constructor() {
    super();
    this.conversations = this.messages = null;
    this.hasFailed = false;
  }

  protected override onConnected(): void {
    void this.#read({}, (value) => {
      this.conversations = decodeConversations(value);
    });
  }

  protected override render(): TemplateResult {
    const { history } = this.store.strings;
    const { conversations, messages, hasFailed } = this;
    const content = hasFailed ? html`<p class="problem" role="alert">${history.failed}</p>` : this.#content();
    const back = () => (messages || (hasFailed && conversations) ? this.#closeConversation() : this.close());
    return this.frame(history.title, history.back, content, back);
  }

  #content(): TemplateResult {
    const { strings, view, chat } = this.store;
    const { conversations, messages } = this;
    if (messages)
      return html`<div class="page" tabindex="0" role="group" aria-label=${strings.transcript}>
        ${repeat(
          messages,
          ({ key }) => key,
          (message, index) =>
            html`<workspace-chat-message
              .chat=${chat}
              .view=${view}
              .message=${message}
              .previous=${messages[index - 1]}
              .next=${messages[index + 1]}
            ></workspace-chat-message>`,
        )}
      </div>`;
    if (!conversations) return html`<p role="status">${strings.opening}</p>`;
    if (conversations.length === 0) return html`<p role="status">${strings.history.none}</p>`;
    return html`<ul class="past">
      ${conversations.map(
        ({ id, startedAt, text }) =>
          html`<li>
            <button class="button starter" part="starter" @click=${() => this.#openConversation(id)}>
              <span>
                <small>${formatDay(startedAt, Date.now(), view.languageTag)}</small>
                <bdi class="text" dir=${directionOfText(text)}>${renderRuns(text)}</bdi>
              </span>
              ${nextIcon}
            </button>
          </li>`,
      )}
    </ul>`;
  }

  async #openConversation(id: string): Promise<void> {
    await this.#read({ conversation_id: id }, (value) => {
      this.messages = decodeMessages(value);
    });
    await this.updateComplete;
    this.querySelector<HTMLElement>('.page')?.focus();
  }

  async #closeConversation(): Promise<void> {
    this.messages = null;
    this.hasFailed = false;
    await this.updateComplete;
    this.querySelector<HTMLElement>('.past button')?.focus();
  }

  /** Reads from the site's backend, which proves the customer by the session of the page. */
  async #read(query: Record<string, string>, onRead: (value: unknown) => void): Promise<void> {
    this.#reading.abort();
    this.#reading = new AbortController();
    const stop = anySignal([this.connection, this.#reading.signal]);
    try {
      // The page may have removed it meanwhile.
      const url = new URL(this.store.chat.view.state.historyUrl);
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      const signal = anySignal([stop, AbortSignal.timeout(timeout)]);
      const response = await fetch(url, { credentials: 'include', headers: { accept: 'application/json' }, signal });
      if (!response.ok) throw new Error(`The site's backend replied ${response.status}.`);
      onRead(await response.json());
      this.hasFailed = false;
    } catch (error) {
      if (stop.aborted) return;
      console.error('workspace-chat: the past conversations could not be loaded.', error);
      this.hasFailed = true;
    }
  }
}

/** Adds the styles of the page to a panel, and defines it. */
export const addHistory = (root: ShadowRoot): void => {
  adopt(root, sheetStyles.styleSheet!, historyStyles.styleSheet!);
  defineElements({ 'workspace-chat-history': HistoryElement });
};
