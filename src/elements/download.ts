/** Downloads the conversation as a text file. */
import type { ChatContext } from '../controllers/chat-context.ts';
import { plainText } from '../markdown/index.ts';
import { loadProblems } from './problem-loader.ts';

const transcriptText = async ({ conversation, view }: ChatContext): Promise<string> => {
  const { noticeText } = await loadProblems();
  const { strings, languageTag, heading } = view.state;
  const time = new Intl.DateTimeFormat(languageTag, { dateStyle: 'medium', timeStyle: 'short' });
  const lines = conversation.store.state.messages.map((message) => {
    if (message.role === 'notice') return `— ${noticeText(message, view.state)}`;
    const author =
      message.role === 'user' ? strings.you : message.actor === 'owner' ? strings.person : strings.assistant;
    const text = message.role === 'user' ? (message.label ?? message.text) : plainText(message.text);
    return `${author}, ${time.format(message.at)}\n${text}`;
  });
  return [heading, ...lines].join('\n\n');
};

export const downloadTranscript = async (chat: ChatContext): Promise<void> => {
  // The byte order mark makes old programs read the file as UTF-8.
  const file = new Blob(['\uFEFF', await transcriptText(chat)], { type: 'text/plain;charset=utf-8' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = `${chat.view.state.strings.transcript}.txt`;
  link.click();
  URL.revokeObjectURL(link.href);
};
