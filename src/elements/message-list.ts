/** Renders the transcript's messages in pages, so that the browser can skip the layout of pages out of view. */
import { html, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ChatMessage } from '../chat/state/state.ts';
import type { ChatContext, ViewState } from '../controllers/chat-context.ts';

const messagesPerPage = 50;

export interface Entry {
  readonly key: string;
  readonly chat: ChatContext;
  readonly view: ViewState;
  /** Null for the reply that is streaming. */
  readonly message: ChatMessage | null;
  /** The neighbours in the transcript. Undefined at its ends. */
  readonly previous?: ChatMessage | null | undefined;
  readonly next?: ChatMessage | null | undefined;
  /** Whether it is being sent, or waits for that. */
  readonly isPending: boolean;
}

interface Page {
  readonly number: number;
  readonly entries: readonly Entry[];
}

/** Numbers the pages from the first message of the transcript, so that a page keeps its number while older ones appear. */
const toPages = (entries: readonly Entry[], hiddenCount: number): Page[] => {
  const pages: Page[] = [];
  for (let start = 0, end; start < entries.length; start = end) {
    const number = Math.floor((start + hiddenCount) / messagesPerPage);
    end = (number + 1) * messagesPerPage - hiddenCount;
    pages.push({ number, entries: entries.slice(start, end) });
  }
  return pages;
};

const renderPage = (entries: readonly Entry[]) =>
  repeat(
    entries,
    ({ key }) => key,
    (entry) => html`<workspace-chat-message .entry=${entry}></workspace-chat-message>`,
  );

/**
 * Renders the entries.
 * @param hiddenCount The number of older messages that are not shown yet.
 */
export const messageList = (entries: readonly Entry[], hiddenCount: number): unknown =>
  repeat(
    toPages(entries, hiddenCount),
    ({ number }) => number,
    (page): TemplateResult => html`<div class="page">${renderPage(page.entries)}</div>`,
  );
