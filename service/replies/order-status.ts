/** Has the visitor's app look up an order, and writes the reply about its result. */
import type { JsonObject, StatusCardBlock } from '../../contract/wire.ts';
import { isDateNumber, referenceNumbers } from '../knowledge/reference-numbers.ts';
import { words } from '../knowledge/terms.ts';
import { rowValue } from './http-action.ts';
import type { Action, Reply, ReplySteps, Turn } from './reply-source.ts';
import { sentences } from './sentences.ts';

export async function* orderStatusReply(turn: Turn, action: Action): ReplySteps<Reply> {
  const sentence = sentences[turn.language];
  const number = orderNumber(turn.question);
  if (number === undefined) return { text: sentence.orderNumber, outcome: 'answered', sources: [] };
  const outcome = yield { type: 'tool', action, arguments: { order_number: number } };
  if (!outcome?.ok) return { text: sentence.orderUnreachable, outcome: 'tool_failed', sources: [] };
  return statusReply(turn, number, outcome.result);
}

/** Whether the message contains an order number and the assistant has just asked for one. */
export const isOnlyOrderNumber = ({ question, history }: Turn): boolean => {
  const lastReply = history.findLast((message) => message.role === 'assistant')?.content;
  return (
    orderNumber(question) !== undefined &&
    Object.values(sentences).some(({ orderNumber: prompt }) => prompt === lastReply)
  );
};

const orderNumber = (question: string): string | undefined => {
  const numbers = referenceNumbers(question).filter((number) => !isDateNumber(number));
  return numbers.sort((a, b) => b.length - a.length)[0];
};

/** Writes a card with the status and with every other plain value of the result as a row. */
const statusReply = ({ language }: Turn, number: string, result: JsonObject): Reply => {
  const sentence = sentences[language];
  const status = rowValue(result['status'] ?? result['state']);
  if (result['found'] === false || status === undefined) {
    return { text: sentence.orderUnknown(number), outcome: 'answered', sources: [] };
  }
  const rows = Object.entries(result)
    .filter(([key]) => !['status', 'state', 'found', 'order_number', 'url', 'tone', 'updated_at'].includes(key))
    .flatMap(([key, value]) => {
      const text = rowValue(value);
      const label = sentence.orderRows[key] ?? words(key.replaceAll('_', ' ')).join(' ');
      return text === undefined ? [] : [{ label, value: text }];
    })
    .slice(0, 8);
  const card: StatusCardBlock = {
    type: 'status_card',
    title: sentence.orderTitle(number),
    status,
    tone: tone(status),
    ...(rows.length === 0 ? {} : { rows }),
    ...(typeof result['updated_at'] === 'string' ? { updated_at: result['updated_at'] } : {}),
    ...(typeof result['url'] === 'string' && result['url'].startsWith('https://') ? { url: result['url'] } : {}),
  };
  return { text: sentence.orderStatus(number, status), outcome: 'answered', sources: [], blocks: [card] };
};

const tone = (status: string): NonNullable<StatusCardBlock['tone']> => {
  if (/deliver|complete|collected|سُل|سلم|وصل|اكتمل/i.test(status)) return 'success';
  if (/cancel|fail|lost|ألغ|فشل/i.test(status)) return 'danger';
  if (/delay|hold|wait|تأخ|معلق|انتظار/i.test(status)) return 'warning';
  return 'info';
};
