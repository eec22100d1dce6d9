/** What follows a message: its time, its actions, and what went wrong with it. */
import { html, nothing, type TemplateResult } from 'lit';
import type { AgentMessage, ChatMessage } from '../chat/state/state.ts';
import type { ViewState } from '../controllers/chat-context.ts';
import { formatDay, formatTime, startOfDay } from '../locale/format.ts';
import { copyText } from '../markdown/copy.ts';
import { copiedText } from './message-text.ts';

/** The longest time between two messages of a group, in milliseconds. */
const groupGap = 5 * 60_000;

/** Whether there is nothing to explain about a reply. */
const isOrdinary = ({ ending, outcome, refused, limit, degraded }: AgentMessage): boolean =>
  ending === 'whole' && outcome !== 'refused' && !refused && !limit && !degraded;

const authorOf = (message: ChatMessage): string =>
  message.role === 'assistant' ? `${message.actor} ${message.author}` : message.role;

/** Whether a message comes so soon after another one that they share a time. */
export const isSoon = (message: ChatMessage, next: ChatMessage): boolean => next.at - message.at < groupGap;

/** Whether a message needs no line of its own, because its author wrote the next one soon after it. */
export const isGrouped = (message: ChatMessage, next: ChatMessage): boolean => {
  const isDone =
    message.role === 'user' ? message.delivery === 'confirmed' : message.role === 'assistant' && isOrdinary(message);
  return isDone && authorOf(message) === authorOf(next) && isSoon(message, next);
};

/** Returns the name of the day that begins with a message, or null. A transcript of today begins without one. */
export const dayOf = (
  message: ChatMessage | null,
  previous: ChatMessage | null | undefined,
  tag: string,
  now: number,
): string | null => {
  if (!message || previous === null) return null;
  return startOfDay(message.at) === startOfDay(previous?.at ?? now) ? null : formatDay(message.at, now, tag);
};

/** Copies the reply whose button was activated. One listener for all replies. */
const copy = ({ currentTarget }: Event): void => {
  const button = currentTarget as Element;
  const reply = button.closest('workspace-chat-message')!;
  const { message, chat } = reply;
  const text = message?.role === 'assistant' ? copiedText(message) : '';
  void copyText(button, text, reply.querySelector('.text')!, () => chat.view.state.strings);
};

/** Renders the button that reads a reply aloud, if the page offers that. */
const readAloud = (message: AgentMessage, view: ViewState): TemplateResult | typeof nothing =>
  view.hasSpeech && message.text
    ? html`<workspace-chat-read-aloud
        .message=${message}
        .tag=${message.lang ?? view.language}
      ></workspace-chat-read-aloud>`
    : nothing;

/** Renders the thumbs, if the page wants feedback and the reply is one of the assistant that the service knows by its id. */
const feedback = ({ id, actor, ending }: AgentMessage, { hasFeedback }: ViewState): TemplateResult | typeof nothing =>
  hasFeedback && id && actor !== 'owner' && ending === 'whole'
    ? html`<workspace-chat-feedback .messageId=${id}></workspace-chat-feedback>`
    : nothing;

/**
 * Renders the line below a message, or a notice.
 * @param hasFailed Whether a message of the visitor was not delivered.
 */
export const messageEnd = (message: ChatMessage, view: ViewState, hasFailed: boolean): TemplateResult => {
  const problem = html`<workspace-chat-problem .message=${message}></workspace-chat-problem>`;
  if (message.role === 'notice') return html`<p class="notice" part="notice">${problem}</p>`;
  const time = formatTime(message.at, view.languageTag);
  if (message.role === 'user')
    return html`<p class=${hasFailed ? 'meta' : 'meta plain'} part="meta">${hasFailed ? problem : time}</p>`;
  // The icon is drawn by styles, and the title is the name: a transcript has many of these buttons.
  return html`<p class=${isOrdinary(message) ? 'meta plain' : 'meta'} part="meta">
    ${time}${isOrdinary(message) ? nothing : problem}<button
      class="icon-button copy"
      part="copy"
      title=${view.strings.code.copy}
      ?hidden=${!message.text}
      @click=${copy}
    ></button
    >${readAloud(message, view)}${feedback(message, view)}
  </p>`;
};
