/** What follows a message: its time, its actions, and what went wrong with it. Loaded soon after the panel. */
import { html, nothing, type LitElement, type TemplateResult } from 'lit';
import type { AgentMessage, ChatMessage } from '../chat/state/state.ts';
import type { ChatContext } from '../controllers/chat-context.ts';
import { formatDay, formatTime, startOfDay } from '../locale/format.ts';
import { copyText } from '../markdown/copy.ts';
import { plainText } from '../markdown/plain-text.ts';
import { adoptStyles } from '../styles/adopt-styles.ts';
import { defineElements, type Elements } from './define-elements.ts';
import { groupStyles } from './group-styles.ts';
import type { Entry } from './message-list.ts';
import { isNear } from './near-pages.ts';
import { noticeStyles } from './notice-styles.ts';

/** Defines the elements of a file. The browser logs a failed request, and the next reply tries again. */
const define = (file: Promise<{ elements: Elements }>): void => {
  file.then(
    ({ elements }) => defineElements(elements),
    () => {},
  );
};

/** The longest time between two messages of a group, in milliseconds. */
const groupGap = 5 * 60_000;

/** Whether there is nothing to explain about a reply. */
const isOrdinary = ({ ending, outcome, refused, limit, degraded }: AgentMessage): boolean =>
  ending === 'whole' && outcome !== 'refused' && !refused && !limit && !degraded;

const authorOf = (message: ChatMessage): string =>
  message.role === 'assistant' ? `${message.actor} ${message.author}` : message.role;

/** Whether a message needs no line of its own, because its author wrote the next one soon after it. */
const isGrouped = (message: ChatMessage, next: ChatMessage): boolean => {
  const isDone =
    message.role === 'user' ? message.delivery === 'confirmed' : message.role === 'assistant' && isOrdinary(message);
  return isDone && authorOf(message) === authorOf(next) && next.at - message.at < groupGap;
};

/** Returns the name of the day that begins with a message, or null. A transcript of today begins without one. */
const dayOf = ({ message, previous }: Entry, tag: string, now: number): string | null => {
  if (!message || previous === null) return null;
  return startOfDay(message.at) === startOfDay(previous?.at ?? now) ? null : formatDay(message.at, now, tag);
};

/** The shadow roots that have the styles. Looking a sheet up in `adoptedStyleSheets` for each message would be slow. */
const styled = new WeakSet<Node>();

/** Adds the styles, and what they need to know of a message: the day that it begins, and whether the next one belongs to its group. */
export const markPlace = (element: HTMLElement, entry: Entry): void => {
  const { message, next, view } = entry;
  const root = element.getRootNode();
  if (!styled.has(root)) {
    styled.add(root);
    adoptStyles(element, noticeStyles);
    adoptStyles(element, groupStyles);
  }
  element.toggleAttribute('grouped', Boolean(message && next && isGrouped(message, next)));
  const day = dayOf(entry, view.languageTag, Date.now());
  if (day) element.dataset['day'] = day;
  else element.removeAttribute('data-day');
};

/** Copies the reply whose button was activated. One listener for all replies. */
const copy = ({ currentTarget }: Event): void => {
  const button = currentTarget as Element;
  const reply = button.closest('workspace-chat-message')!;
  const { message, chat } = reply.entry;
  const text = message?.role === 'assistant' ? plainText(message.text) : '';
  void copyText(button, text, reply.querySelector('.text')!, () => chat.view.state.strings.code);
};

/** Renders the button that reads a reply aloud, if the page offers that. */
const readAloud = ({ text, lang }: AgentMessage, { view }: ChatContext): TemplateResult | typeof nothing => {
  if (!view.state.hasSpeech || !text) return nothing;
  define(import('./speech.ts'));
  return html`<workspace-chat-read-aloud
    .text=${text}
    .tag=${lang ?? view.state.language}
  ></workspace-chat-read-aloud>`;
};

/** Renders the thumbs, if the page wants feedback and the reply is one of the assistant that the service knows by its id. */
const feedback = ({ id, actor, ending }: AgentMessage, { view }: ChatContext): TemplateResult | typeof nothing => {
  if (!view.state.hasFeedback || !id || actor === 'owner' || ending !== 'whole') return nothing;
  define(import('./feedback.ts'));
  return html`<workspace-chat-feedback .messageId=${id}></workspace-chat-feedback>`;
};

/**
 * Renders the line below a message, or a notice. A message that was never near the view has no line unless it says that something
 * went wrong: a transcript has many of them.
 * @param hasFailed Whether a message of the visitor was not delivered.
 */
export const messageEnd = (
  element: LitElement & { entry: Entry },
  message: ChatMessage,
  hasFailed: boolean,
): TemplateResult | typeof nothing => {
  const isPlain = message.role === 'user' ? !hasFailed : message.role === 'assistant' && isOrdinary(message);
  if (isPlain && !isNear(element)) return nothing;
  const { chat } = element.entry;
  const problem = html`<workspace-chat-problem .message=${message}></workspace-chat-problem>`;
  if (message.role === 'notice') return html`<p class="notice" part="notice">${problem}</p>`;
  const time = formatTime(message.at, chat.view.state.languageTag);
  if (message.role === 'user') return html`<p class="meta" part="meta">${hasFailed ? problem : time}</p>`;
  const spoken = readAloud(message, chat);
  const rated = feedback(message, chat);
  // The icon is drawn by styles, and the title is the name: a transcript has many of these buttons.
  return html`<p class="meta" part="meta">
    ${time}${isOrdinary(message) ? nothing : problem}<button
      class="icon-button copy"
      part="copy"
      title=${chat.view.state.strings.code.copy}
      ?hidden=${!message.text}
      @click=${copy}
    ></button
    >${spoken === nothing && rated === nothing ? nothing : html`${spoken}${rated}`}
  </p>`;
};
