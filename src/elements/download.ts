/** Downloads the conversation as a text file. */
import type { AgentMessage, VisitorMessage } from '../chat/state/state.ts';
import type { ChatContext, ViewState } from '../controllers/chat-context.ts';
import { noticeText } from '../locale/problem-text.ts';
import { safeUrl } from '../markdown/index.ts';
import { authorName, copiedText } from './message-text.ts';

/** Returns a line for each source of a reply: its title, and its address if it has one. */
const sourcesOf = ({ sources }: AgentMessage, label: string): string[] =>
  sources.map(({ title, filename, url }, index) => {
    const address = url ? safeUrl(url) : null;
    return `${index === 0 ? `\n${label}\n` : ''}– ${title ?? filename}${address ? `: ${address}` : ''}`;
  });

const messageText = (message: VisitorMessage | AgentMessage, { strings }: ViewState): string => {
  if (message.role === 'user') return copiedText(message);
  return [copiedText(message), ...sourcesOf(message, strings.sources)].join('\n');
};

const transcriptText = ({ conversation, view }: ChatContext): string => {
  const { languageTag, heading } = view.state;
  const time = new Intl.DateTimeFormat(languageTag, { dateStyle: 'medium', timeStyle: 'short' });
  const entries = conversation.store.state.messages.map((message) => {
    if (message.role === 'notice') return `— ${noticeText(message, view.state)}`;
    return `${authorName(message, view.state)}, ${time.format(message.at)}\n${messageText(message, view.state)}`;
  });
  return [heading, ...entries].join('\n\n');
};

/** Returns the heading and today's date, which a file system sorts. */
const fileName = ({ heading }: ViewState): string => {
  // The Swedish format is ISO 8601, in the visitor's time zone.
  const today = new Date().toLocaleDateString('sv');
  return `${heading.replace(/[\\/:*?"<>|]/g, ' ').trim()} ${today}.txt`;
};

export const downloadTranscript = (chat: ChatContext): void => {
  // The byte order mark makes old programs read the file as UTF-8.
  const file = new Blob(['\uFEFF', transcriptText(chat)], { type: 'text/plain;charset=utf-8' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = fileName(chat.view.state);
  link.click();
  URL.revokeObjectURL(link.href);
};
