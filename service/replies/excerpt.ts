/** Shortens a passage to the lines and sentences that match a question. */
import { isLongerThan, shortened } from '../../contract/characters.ts';
import type { Language } from '../core/language.ts';
import { terms } from '../knowledge/terms.ts';

const maxWholeLength = 450;

interface Unit {
  text: string;
  /** The separator between the unit before and this one. */
  separator: string;
  at: number;
  value: number;
}

/**
 * Returns a short passage as a whole. Of a longer one it returns the best matching units, in order, up to `limit` characters:
 * the lines of a list or table, the sentences of a text.
 */
export const excerpt = (
  body: string,
  weights: Map<string, number>,
  { language, limit }: { language: Language; limit: number },
): string => {
  if (body.length <= Math.min(maxWholeLength, limit)) return body;
  const units = split(body, language).map((unit, at): Unit => ({ ...unit, at, value: valueOf(unit.text, weights) }));
  // The first unit often introduces the others.
  if (units[0]) units[0].value += 0.5;
  const best = units.toSorted((a, b) => b.value - a.value || a.at - b.at);
  const isList = listItem.test(body) && body.length <= limit;
  const chosen: Unit[] = [];
  let length = 0;
  for (const unit of best) {
    if (!isList && (chosen.length === maxUnits || (unit.value === 0 && chosen.length > 0))) break;
    const size = unit.separator.length + unit.text.length;
    if (length + size > limit) continue;
    chosen.push(unit);
    length += size;
  }
  if (chosen.length === 0) return cut(best[0]?.text ?? body, limit);
  const ordered = chosen.toSorted((a, b) => a.at - b.at);
  return ordered.map(({ text, separator }, at) => (at === 0 ? text : `${separator}${text}`)).join('');
};

/** Units of an excerpt from a passage that is no list. */
const maxUnits = 3;
const listItem = /^(?:[-*+|]|\d+[.)])/m;

const split = (body: string, language: Language): { text: string; separator: string }[] => {
  const sentences = new Intl.Segmenter(language, { granularity: 'sentence' });
  return body.split('\n').flatMap((line) => {
    if (line.trim() === '') return [];
    if (listItem.test(line)) return [{ text: line.trimEnd(), separator: '\n' }];
    return [...sentences.segment(line)].map(({ segment }, at) => ({
      text: segment.trim(),
      separator: at === 0 ? '\n' : ' ',
    }));
  });
};

const valueOf = (text: string, weights: Map<string, number>): number => {
  return [...new Set(terms(text))].reduce((sum, term) => sum + (weights.get(term) ?? 0), 0);
};

/** Ends a text between words. */
const cut = (text: string, limit: number): string => {
  if (!isLongerThan(text, limit)) return text;
  const start = shortened(text, limit - 1);
  const end = start.lastIndexOf(' ');
  return `${end > limit / 2 ? start.slice(0, end) : start}…`;
};
