/** What an imported question may be: of a length to be read, asked once, and not an order to whoever reads it. */
import type { ErrorDetail } from '../../contract/wire.ts';
import type { QuestionItem } from '../db/schema.ts';
import { normalise, words } from './terms.ts';

const orders = [
  /\b(ignore|disregard|forget|override)\b.{0,40}\b(previous|prior|above|earlier|all|your|the)\b.{0,30}\b(instructions?|prompts?|rules?|messages?|directions?)\b/,
  /\byou are (now|no longer)\b/,
  /\b(act|behave|respond|pretend) (only )?as (if you|an? |the )/,
  /\b(system|developer) (prompt|message|instructions?)\b/,
  /\b(reveal|print|repeat|show)\b.{0,30}\b(your|the) (prompt|instructions?|rules?)\b/,
  /<\|?(im_start|im_end|system|assistant|endoftext)\|?>|\[\/?inst\]|^\s*#+\s*(system|instructions?)\b/m,
  /(تجاهل|انس|اهمل|تخط).{0,30}(التعليمات|تعليماتك|الاوامر|القواعد|ما سبق)/,
  /(انت الان|تصرف ك|تظاهر بانك|موجه النظام|رساله النظام)/,
];

export const looksLikeInstructions = (text: string): boolean => {
  const plain = normalise(text);
  return orders.some((order) => order.test(plain));
};

/** Everything wrong with a batch, beyond the lengths; nothing is stored while there is anything. */
export const findProblems = (items: QuestionItem[]): ErrorDetail[] => {
  const asked = new Map<string, number>();
  return items.flatMap(({ question, answer, alternatives }, at) => {
    const problems: ErrorDetail[] = [];
    const texts = [
      ['question', question],
      ['answer', answer],
    ] as [string, string][];
    for (const [index, text] of alternatives.entries()) texts.push([`alternatives.${index}`, text]);
    for (const [field, text] of texts) {
      if (!looksLikeInstructions(text)) continue;
      const message = 'This reads like instructions to an assistant.';
      problems.push({ field: `items.${at}.${field}`, code: 'instruction_like', message });
    }
    const wording = words(question).join(' ');
    const first = asked.get(wording);
    if (first === undefined) asked.set(wording, at);
    else
      problems.push({ field: `items.${at}.question`, code: 'duplicate', message: `Asked in items.${first} already.` });
    return problems;
  });
};
