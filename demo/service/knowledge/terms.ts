/** Turns text into the terms it is found by: the same for both databases, in English and Arabic. */
import { stemmer as stemEnglish } from '@orama/stemmers/english';
import { stopWords } from './stop-words.ts';

const marks = /[\u064B-\u065F\u0670\u0640]/g;
const arabicLetter = /[\u0600-\u06FF]/;

/** Letters that are written in several ways become one, digits become European, case and vowel marks go. */
export function normalise(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(marks, '')
    .replace(/[أإآٱ]/g, 'ا')
    .replace(/ى/g, 'ي')
    .replace(/ؤ/g, 'و')
    .replace(/ئ/g, 'ي')
    .replace(/ة/g, 'ه')
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replace(/[’']s\b/g, '')
    .replace(/[’']/g, '');
}

/** Longest first, so that «وال» is not taken for «و». */
const prefixes = ['وبال', 'ولل', 'وال', 'بال', 'كال', 'فال', 'لل', 'ال'];
const suffixes = [
  'هما',
  'كما',
  'تها',
  'ها',
  'ان',
  'ات',
  'ون',
  'ين',
  'يه',
  'كم',
  'هم',
  'نا',
  'ته',
  'تي',
  'ه',
  'ي',
  'ا',
  'ك',
];

/** A light stemmer: one article with its particles, then endings, never below three letters. */
function stemArabic(word: string): string {
  let stem = word;
  const prefix = prefixes.find((each) => stem.startsWith(each) && stem.length - each.length >= 3);
  if (prefix) stem = stem.slice(prefix.length);
  else if (/^[وفبل]/.test(stem) && stem.length >= 6) stem = stem.slice(1);
  else if (stem.startsWith('و') && stem.length >= 4) stem = stem.slice(1);
  for (let round = 0; round < 2; round++) {
    const suffix = suffixes.find((each) => stem.endsWith(each) && stem.length - each.length >= 3);
    if (!suffix) break;
    stem = stem.slice(0, -suffix.length);
  }
  return stem;
}

export function words(text: string): string[] {
  return normalise(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

export function stem(word: string): string {
  return arabicLetter.test(word) ? stemArabic(word) : stemEnglish(word);
}

/** Stems in the order written, without the words that say nothing about the subject. */
export function terms(text: string): string[] {
  return words(text)
    .filter((word) => !stopWords.has(word))
    .map(stem);
}
