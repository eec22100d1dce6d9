/**
 * Finds the parts of a text whose characters must stay together and in order: phone numbers, dates, times, ranges, prices,
 * sizes, units and reference numbers. Without isolation, right-to-left text reverses them: “2026-12-24” would read “24-12-2026”.
 */
import { html, nothing } from 'lit';
import { toAsciiDigits } from '../../contract/characters.ts';
import { withEmailLinks } from './bare-links.ts';
import { directionOfContent, toDirection, type Direction } from './direction.ts';
import { inlineText, type Inline, type Run } from './syntax-tree.ts';
import { safeUrl } from './url.ts';

/** The characters that the patterns name besides ASCII, letters, digits and powers. */
const symbols = '\\u00a0\\u202f٫٬٪°×–—−±،℃℉';
const unnamed = new RegExp(`[^\\0-\\x7f\\p{L}\\p{M}٠²³${symbols}]`, 'gu');

/**
 * Returns what the patterns read in place of a text, with the same length: each digit that is not ASCII is ٠ or ١, each sign of a
 * currency is $, and what no pattern names is NUL. In a pattern, `\p{Nd}` and `\p{L}` have hundreds of ranges each time: without the
 * sketch, the patterns took 280 ms of a slow phone before the first number was shown.
 */
const sketchOf = (text: string): string =>
  text.replace(unnamed, (character) => {
    if (character.length > 1) return '\0\0';
    return /\p{Sc}/u.test(character) ? '$' : /\p{Nd}/u.test(character) ? '١' : '\0';
  });

const digit = '[\\d٠١]';
const space = '[ \\u00a0\\u202f]';
/** No letter or mark follows. */
const wordEnd = `(?=[\\0-@[-\`{-\\x7f٠١²³${symbols}]|$)`;
/** The months of the Gulf and Egypt, of the Levant and Iraq, of the Maghreb, and of English. */
const months = [
  'يناير|فبراير|مارس|أبريل|إبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر',
  `(?:كانون|تشرين)${space}(?:الأول|الثاني)|شباط|آذار|نيسان|أيار|حزيران|تموز|آب|أيلول`,
  'جانفي|فيفري|أفريل|ماي|جوان|جويلية|أوت|يوليوز|غشت|شتنبر|نونبر|دجنبر',
  '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}',
].join('|');
const month = `(?:${months})${wordEnd}`;
const currency = `(?:\\$|OMR|AED|SAR|KWD|QAR|BHD|EGP|USD|EUR|GBP|ر\\.ع\\.?|د\\.إ\\.?|ر\\.س\\.?|د\\.ك\\.?|ر\\.ق\\.?|د\\.ب\\.?|ج\\.م\\.?|(?:ريال|درهم|دينار)${wordEnd})`;
const half = `(?:[ap]\\.?m\\b\\.?|[AP]M\\b|صباحًا|مساءً|[صم]${wordEnd})`;
/** A hyphen behind a letter, a number or a bracket is no minus. */
const sign = `(?:[+#±]|(?<=^|[\\0-(*-/:-@[\\\\^-\`{-\\x7f${symbols}])[-−])?`;
const number = `${sign}${digit}+(?:[.,٫٬:/-]${digit}+)*[%٪°]?`;
const unit = '(?:°[CF]|[℃℉]|[cmk]?m[²³]?|[km]?g|m?[lL]|[kMGT]?B|k?Wh?|[kMG]?Hz)(?![A-Za-z])';
const size = `${number}(?:${space}?[×xX*]${space}?${number})+`;
const code = '#?[A-Za-z]{1,5}[-/]?\\d[A-Za-z\\d]*(?:[-/.][A-Za-z\\d]+)*|#?\\d+[A-Za-z]?(?:-[A-Za-z\\d]+)+';
/** The number of a bank account, in groups of four as it is printed. */
const account = `[A-Z]{2}\\d\\d(?:${space}?[A-Z\\d]{4}){3,7}(?:${space}?[A-Z\\d]{1,3})?`;
/** A moment in ISO 8601. */
const moment = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?(?:Z|[+-]\\d\\d:?\\d\\d)?';
const item = [
  account,
  moment,
  `(?:${size}|${number})${space}?${unit}`,
  size,
  `${number}${space}${month}(?:${space}${digit}{4})?`,
  `${month}${space}${digit}{1,2}(?:[,،]?${space}${digit}{4})?`,
  `${currency}${space}?${number}`,
  `${number}${space}?(?:${currency}|${half})`,
  code,
  number,
].join('|');
const digitGroup = (length: string): string => `(?:\\(${digit}{${length}}\\)|${digit}{${length}})`;
const phone = [
  // A number with the code of a country may be in groups of any length. Digits alone may be anything.
  `\\+${digit}{7,15}`,
  `(?:\\(\\+${digit}{1,3}\\)|(?:\\+|00|٠٠)${digit}{1,3})(?:[ \\u00a0-]${digitGroup('1,8')}){1,5}`,
  `(?:\\+|00|٠٠)?${digitGroup('1,4')}(?:[ \\u00a0-]${digitGroup('2,5')}){1,5}`,
].join('|');

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** A run ends between words. It also begins there, but in Arabic, a letter such as و is written without a space before a number. */
const itemAndEnd = `(?:${item})(?![A-Za-z\\d_@])`;

const runPattern = new RegExp(
  `(?<![A-Za-z\\d_.,:/@-])(?:(${phone})${wordEnd}(?![\\d٠١²³]|[-:/.]${digit})|${itemAndEnd})`,
  'g',
);

/** The second half of a range. */
const rangePattern = new RegExp(`${space}?[-–—]${space}?${itemAndEnd}`, 'y');

/** What may be followed by the rest of a run: a number, a month or the first word of one, a currency, a dash, or a cross. */
const unfinishedPattern = new RegExp(
  `(?:[\\d٠١%٪°×)–—-]|[A-Z]{2}\\d\\d(?:${space}?[A-Z\\d]{4})*|${digit}${space}?[xX*]|${month}[,،]?|كانون|تشرين|${currency}|${half})$`,
);

/** A Latin word in front of a number: together they are written from left to right, so the number must not be isolated. */
const latinWord = /[A-Za-z][ \u00a0]$/;

/** Whether digits in groups are a telephone number. Two years, or a date, are not. */
const isPhone = (text: string): boolean => {
  const count = text.match(/\p{Nd}/gu)!.length;
  return count >= 7 && count <= 15 && !/^(?:\d{4}-\d\d-\d\d|(?:19|20)\d\d[ -](?:19|20)\d\d)$/.test(text);
};

/** A number of this form is complete, so that it can be called. */
const callable = /^(?:\+|0|\()/;

/** The characters of a run that are kept on one line without isolation. */
const longestUnbroken = 24;

/** The characters of an isolated run that fit into each line, and those that also fit where the text is large and the panel narrow. */
const longestOfLine = 16;
const longestShort = 8;

/** Returns the class of a run's element: see `styles/base.ts`. */
export const classOfRun = ({ text, dir }: Run): string | null => {
  if (dir === null) return 'run';
  if (text.length > longestOfLine) return 'long';
  return text.length > longestShort ? null : 'short';
};

const directionOfRun = (text: string, before: string): Run['dir'] => {
  if (rightToLeft.test(text.replace(/\p{N}/gu, ''))) return 'auto';
  // Digits of other scripts do not join a Latin word.
  return latinWord.test(before) && toAsciiDigits(text) === text ? null : 'ltr';
};

/**
 * Splits a text into runs and the text between them. A telephone number has a URL.
 * @param isOpen Whether the text may continue, so that a number at its end may be incomplete.
 * @param before The text in front of it.
 */
export const splitRuns = (text: string, isOpen: boolean, before = ''): (string | Run)[] => {
  if (!/\p{Nd}/u.test(text)) return [text];
  const parts: (string | Run)[] = [];
  const sketch = sketchOf(text);
  let done = 0;
  let end = 0;
  for (const { 0: whole, 1: phoneForm, index: start } of sketch.matchAll(runPattern)) {
    // The second half of a range.
    if (start < end) continue;
    end = start + whole.length;
    rangePattern.lastIndex = end;
    if (!phoneForm && rangePattern.test(sketch)) end = rangePattern.lastIndex;
    const found = text.slice(start, end);
    // Digits alone are never reordered.
    if (/^\p{Nd}+$/u.test(found)) continue;
    const isNumber = phoneForm !== undefined && isPhone(found);
    const isCallable = isNumber && callable.test(toAsciiDigits(found)) && !(isOpen && end === text.length);
    const dir = isNumber ? 'ltr' : directionOfRun(found, before.slice(-3) + text.slice(Math.max(0, start - 3), start));
    if (dir === null && found.length > longestUnbroken) continue;
    parts.push(text.slice(done, start), {
      type: 'run',
      text: found,
      dir,
      ...(isCallable && { url: `tel:${toAsciiDigits(found).replace(/[^\d+]/g, '')}` }),
    });
    done = end;
  }
  return [...parts, text.slice(done)].filter((part) => part !== '');
};

const withRuns = (content: readonly Inline[], isOpen: boolean, before: string): Inline[] =>
  content.flatMap((part, index): Inline | Inline[] => {
    const previous = index > 0 ? inlineText([content[index - 1]!]) : before;
    if (typeof part === 'string') return splitRuns(part, isOpen && index === content.length - 1, previous);
    if (!('children' in part) || (part.type === 'link' && part.bare)) return part;
    return { ...part, children: withRuns(part.children, isOpen, previous) };
  });

/**
 * Links the e-mail addresses in inline content, and isolates its runs.
 * @param isOpen Whether more text may follow.
 * @param before The text in front of it.
 */
export const finishInline = (content: Inline[], isOpen: boolean, before = ''): Inline[] =>
  withRuns(withEmailLinks(content), isOpen, before);

/** Whether a run may go on after `text`, which ends before a space. */
export const mayContinueRun = (text: string): boolean => unfinishedPattern.test(sketchOf(text));

/**
 * Renders a text of a block or a visitor.
 * @param openLink If given, telephone numbers are links. It returns false when the page handles the link itself.
 */
export const renderRuns = (text: string, openLink?: (url: string) => boolean): unknown => {
  const parts = splitRuns(text, false);
  if (parts.every((part) => typeof part === 'string')) return text;
  return parts.map((part) => {
    if (typeof part === 'string') return part;
    const className = classOfRun(part) ?? nothing;
    const run = part.dir
      ? html`<bdi class=${className} dir=${part.dir}>${part.text}</bdi>`
      : html`<span class=${className}>${part.text}</span>`;
    const url = openLink && part.url ? safeUrl(part.url) : null;
    if (!url) return run;
    const open = (event: Event) => {
      if (!openLink!(url)) event.preventDefault();
    };
    return html`<a href=${url} @click=${open}>${run}</a>`;
  });
};

/** Returns the direction of a text of a block, as the value of `dir`. A text of nothing but runs has that of the conversation. */
export const directionOfText = (
  text: string,
  conversation: Direction | typeof nothing = nothing,
): Direction | typeof nothing => toDirection(directionOfContent(splitRuns(text, false))) ?? conversation;
