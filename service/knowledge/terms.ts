/** Converts English and Arabic text to search terms. The database stores terms, so both databases give the same results. */
import { stemmer as stemEnglish } from '@orama/stemmers/english';
import { stopWords } from './stop-words.ts';

/**
 * The version of the rules in this file. Increment it when a rule changes the terms of a text: the terms of what is stored are then made
 * again, see `terms-job.ts`.
 */
export const termsVersion = 2;

const marks = /[\u064B-\u065F\u0670\u0640]/g;
const arabicLetter = /[\u0600-\u06FF]/;

/** Unifies letters with several spellings, converts digits to 0–9, and removes case and vowel marks. */
export const normalize = (text: string): string => {
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
};

/** Words that begin with the letters of the article but have no article. */
const wordsWithoutArticle = new Set(['الوان', 'الاف', 'الات', 'الام', 'الماس']);

/** Longest first, so that «وال» is removed as a whole. */
const prefixes = ['وبال', 'ولل', 'وال', 'بال', 'كال', 'فال', 'لل', 'ال'];
const suffixes = 'هما كما تها ها ان ات ون ين كم هم نا ته تي ني ه ي ا ك ت'.split(' ');
/** A «ي» before another ending makes an adjective or a noun of its own: «ذهبية» is golden, «ذهب» is gold. */
const innerSuffixes = suffixes.filter((suffix) => !suffix.endsWith('ي'));

/**
 * A light stemmer. Removes one article with its particles, then endings, then the person prefix of a three-letter verb
 * (so that تفتح، نفتح and يفتح are one term). At least three letters remain.
 */
const stemArabic = (word: string): string => {
  if (wordsWithoutArticle.has(word)) return word;
  let stem = word;
  const prefix = prefixes.find((each) => stem.startsWith(each) && stem.length - each.length >= 3);
  if (prefix) stem = stem.slice(prefix.length);
  else if (/^[وفبل]/.test(stem) && stem.length >= 6) stem = stem.slice(1);
  for (let round = 0; round < 2; round++) {
    const suffix = (round === 0 ? suffixes : innerSuffixes).find(
      (each) => stem.endsWith(each) && stem.length - each.length >= 3,
    );
    if (!suffix) break;
    stem = stem.slice(0, -suffix.length);
  }
  if (stem.length === 4 && /^[تينا]/.test(stem)) stem = stem.slice(1);
  return stem;
};

export const words = (text: string): string[] => {
  return normalize(text).match(/[\p{L}\p{N}]+/gu) ?? [];
};

export const stem = (word: string): string => {
  return arabicLetter.test(word) ? stemArabic(word) : stemEnglish(word);
};

/** Phrases whose meaning is lost when stop words are removed, each with the word that replaces it. */
const phrases: [RegExp, string][] = [
  [/\bhow much\b/g, 'price'],
  [/\bhow long\b/g, 'duration'],
  [/\bmoney back\b/g, 'refund'],
  [/\bpick(ing)? up\b/g, 'collect'],
  [/\b(log|sign) (in|into|on)\b/g, 'login'],
  [/\bcall(ing)? off\b/g, 'cancel'],
  [/\bwhere (are|is|r) (you|u|it|this|(the|your) (place|office|shop|store|branch))\b/g, 'location'],
  [/(اين|وين) (انتم|انتوا|المكان|المكتب|المحل|المتجر|الفرع)/g, 'موقع'],
  [/(^| )(الالوان|والوان|بالوان)(?= |$|؟)/g, ' الوان'],
];

export interface Term {
  /** The stem that is searched for. */
  term: string;
  /** The normalized word. */
  word: string;
}

/**
 * Letters of the longest term. PostgreSQL ignores a word of more than 2,046 bytes, and a query that has no other word then
 * reads all rows.
 */
const maxTermLength = 200;

/** Returns the terms of a text in their order, without stop words and without what is too long for a word. */
export const termsWithWords = (text: string): Term[] => {
  const plain = phrases.reduce((result, [phrase, word]) => result.replace(phrase, word), normalize(text));
  return words(plain)
    .filter((word) => word.length <= maxTermLength)
    .filter((word) => !isStopWord(word))
    .map((word) => ({ term: stem(word), word }));
};

/** Whether a word is a stop word, also with the Arabic article or conjunction. */
const isStopWord = (word: string): boolean => {
  return [word, word.replace(/^ال(?=.{4})/, ''), word.replace(/^[وف](?=.{2})/, '')].some((each) => stopWords.has(each));
};

export const terms = (text: string): string[] => {
  return termsWithWords(text).map(({ term }) => term);
};
