/**
 * `npm run bench:instructions`: how many ordinary sentences the filter of question imports refuses, and how many attempts to give
 * an assistant instructions. Prints each sentence that it gets wrong.
 */
import { looksLikeInstructions } from '../../service/knowledge/instruction-filter.ts';
import sentences from './instruction-sentences.json' with { type: 'json' };

const { ordinary: ordinarySentences, attempts } = sentences;

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

for (const language of ['en', 'ar'] as const) {
  const refused = ordinarySentences[language].filter(looksLikeInstructions);
  const missed = attempts[language].filter((text) => !looksLikeInstructions(text));
  const [ordinary, all] = [ordinarySentences[language].length, attempts[language].length];
  console.log(
    `${language}: ${percent(refused.length, ordinary)} of ${ordinary} ordinary sentences and ${percent(all - missed.length, all)} of ${all} attempts are refused`,
  );
  for (const text of [...refused, ...missed]) console.log(`  ${text}`);
}
