/** Validates imported questions: no duplicates, and no text that looks like instructions to a language model. */
import type { ErrorDetail } from '../../contract/wire.ts';
import type { QuestionItem } from '../db/schema.ts';
import { looksLikeInstructions } from './instruction-filter.ts';
import { words } from './terms.ts';

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
      if (text.includes('\ufffd')) {
        const message = 'A character is lost. Save the file as UTF-8.';
        problems.push({ field: `items.${at}.${field}`, code: 'bad_encoding', message });
      }
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
