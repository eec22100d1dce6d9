/** The text of a message outside of its bubble. What a person wrote is not Markdown. */
import type { AgentMessage, VisitorMessage } from '../chat/state/state.ts';
import type { ViewState } from '../controllers/chat-context.ts';
import { plainText, writtenText } from '../markdown/plain-text.ts';

type TextMessage = VisitorMessage | AgentMessage;

const ofPerson = (message: TextMessage): string | null => {
  if (message.role === 'user') return message.label ?? message.text;
  return message.actor === 'owner' ? message.text : null;
};

/** Returns the text for screen readers and previews. */
export const spokenText = (message: TextMessage): string => ofPerson(message) ?? plainText(message.text);

/** Returns the text for the clipboard and for files, with the addresses of links and the marks of lists. */
export const copiedText = (message: TextMessage): string => ofPerson(message) ?? writtenText(message.text);

/** Returns the name of an author. `message` is null for the reply that is streaming. */
export const authorName = (message: TextMessage | null, { strings }: ViewState): string => {
  if (message?.role === 'user') return strings.you;
  return message?.actor === 'owner' ? message.author || strings.person : strings.assistant;
};

/** Returns the language of a reply that is not in the language of the chat, or an empty string. */
export const otherLanguage = ({ lang = '' }: AgentMessage, { languageTag }: ViewState): string =>
  lang === languageTag.split('-')[0] ? '' : lang;
