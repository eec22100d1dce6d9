/** Validates imported questions: no duplicates, and no text that looks like instructions to a language model. */
import type { ErrorDetail } from '../../contract/wire.ts';
import type { QuestionItem } from '../db/schema.ts';
import { normalise, words } from './terms.ts';

const instructionPatterns = [
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
  return instructionPatterns.some((pattern) => pattern.test(plain));
};

/** Returns all problems of a batch. The schema of the request has checked the lengths already. */
export const findProblems = (items: QuestionItem[]): ErrorDetail[] => {
  const firstByWording = new Map<string, number>();
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
    for (const [field, text] of texts.filter(([name]) => name !== 'answer')) {
      const wording = words(text).join(' ');
      const first = firstByWording.get(wording) ?? at;
      firstByWording.set(wording, first);
      if (first === at) continue;
      const message = `The same question as in items.${first}.`;
      problems.push({ field: `items.${at}.${field}`, code: 'duplicate', message });
    }
    return problems;
  });
};
