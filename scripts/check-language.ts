/**
 * `npm run check`: rejects phrases that are not plain engineering English (see CONTRIBUTING.md, "Language"), pages of the docs
 * that are hard to read, and pages that are too long.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Parser, type Node } from 'commonmark';
import { fleschKincaid } from 'flesch-kincaid';
import { syllable } from 'syllable';

interface BannedPhrase {
  pattern: RegExp;
  /** What to write instead. */
  use: string;
  /** Files in which the phrase is allowed, because it is the data of an API or of a test. */
  except?: RegExp;
  /** The only files in which the phrase is not allowed. */
  only?: RegExp;
}

/** Phrases in comments, strings and prose. */
const phrases: BannedPhrase[] = [
  { pattern: /until the answer is called/i, use: 'returns an unsubscribe function' },
  { pattern: /\bwhoever\b/i, use: 'a noun: the visitor, the caller, everybody who' },
  { pattern: /\bnobody (?:else )?(?:want|ask|know|hear|listen|wait|watch)/i, use: 'the condition in technical terms' },
  { pattern: /\bwhat (?:comes|came|is wanted|was said|is said|stands|it tells)\b/i, use: 'a noun' },
  { pattern: /\bunless told\b/i, use: 'by default' },
  { pattern: /\bis told (?:by|of|about)\b/i, use: 'receives, is notified of' },
  { pattern: /\bas it was wanted\b/i, use: 'as requested' },
  { pattern: /\bpatience\b/i, use: 'timeout' },
  { pattern: /\bhas nothing (?:else|better) to do\b/i, use: 'is idle' },
  { pattern: /\bin (?:earnest|short order)\b/i, use: 'a plain adverb' },
  { pattern: /\b(?:takes|took) (?:its|the other's|the first's) place\b/i, use: 'replaces' },
  { pattern: /\bhalf a pair\b|\bthe conversation's pair\b/i, use: 'credentials' },
  { pattern: /\bmisdeeds?\b/i, use: 'server faults' },
  { pattern: /\bsmall[- ]print\b/i, use: 'contract edge cases' },
  {
    // A reader who searches for a word must find all of its uses.
    pattern:
      /colour|behaviour|favourite|neighbour|honour|misspelt|labelled(?!by)|cancell(?:ed|ing)|\bgrey|\bfulfils?\b|\banalyse|(?:recogn|serial|sanit|minim|optim|organ|normal|custom|(?<!not_)author|local|summar|anonym)is(?:e[drs]?|ing|ation)(?![a-z])/i,
    use: 'the American spelling',
    // Words of visitors, in questions and in the knowledge that is searched.
    except:
      /^docs\/ar\/|^service\/seed\/|^service\/knowledge\/(?:synonyms|decode-text)|^src\/locale\/added\/|^test\/bench\/replies\//,
  },
  { pattern: /\bplain wish\b|\bplainWish\b/i, use: 'explicit intent' },
];

/** Texts that visitors, site owners and developers read in Arabic. */
const arabicTexts =
  /^(?:src\/locale\/(?:ar|launcher-strings)\.ts|src\/products\/doctor\/ar\.ts|service\/(?:core|replies|seed|mail|contacts|sign-in|team)\/.*\.ts|demo\/.*\.ts|docs\/ar\/.*\.md)$/;

/** Terms and punctuation in Arabic: see CONTRIBUTING.md, "Arabic". */
const arabic: BannedPhrase[] = [
  // Sentences of visitors may contain any word.
  {
    pattern: /(?:ال|لل)?إجاب(?:ة|ات)|(?<!\p{L})(?:ي|ن|ت)جيب(?!\p{L})/u,
    use: 'رد',
    except: /^service\/(?!replies\/sentences|core\/errors)/,
  },
  { pattern: /وكيل|وكلاء/u, use: 'المساعد' },
  { pattern: /(?<!\p{L})(?:ال)?خطة(?!\p{L})/u, use: 'باقة' },
  { pattern: /جدار ناري/u, use: 'جدار حماية' },
  { pattern: /قابل(?:ًا|ة)? للنشر/u, use: 'مفتاح عام' },
  { pattern: /ورقة أنماط|كيبيبايت|طرفية/u, use: 'ملف CSS، كيلوبايت، سطر الأوامر' },
  { pattern: /شركة التوصيل/u, use: 'شركة الشحن' },
  { pattern: /من جهتنا/u, use: 'من جانبنا' },
  { pattern: /ر\.ع\.\./u, use: 'ر.ع. without a second stop' },
  { pattern: /\p{Script=Arabic}[,;?](?!\p{Script=Arabic}*['"`])|,\p{Script=Arabic}/u, use: '، ؛ ؟' },
  { pattern: /\b0\d:\d\d [صم](?!\p{L})/u, use: 'a time without a leading zero' },
  {
    pattern:
      /(?<!\p{L})[وف]?(?:أرسل|راجع|ارفع|ابحث|عاين|ضع|فُكّ|انظر|اختر|اكتب|افتح|الصق|أضف|انسخ|شغّل|انقر|اضغط|جرّب|غيّر|تأكد|تحقق|احذف|استبدل|ابدأ|اضبط|أدخل|أنشئ|انتظر|أعد|اطرح|اسمح|ثبّت|انشر|امسح|اعرض|اسأل|أخبر)(?:ه|ها|هما|هم|نا)?(?!\p{L})/u,
    use: 'يُرجى or a verbal noun',
    // Words of visitors.
    except: /^service\/replies\/products/,
  },
].map((phrase) => ({ only: arabicTexts, ...phrase }));

/** The files with conversations and pages of the shop. Pages for developers name attributes and products. */
const conversations = /^(?:demo\/(?:gallery[\w-]*|shop)|service\/seed\/.*)\.ts$/;

/** The Arabic text of a pair of texts in the demo: `ar: '…'`, the second argument of `say`, or `…Ar: '…'`. */
const arabicOfDemo = /(?:\bar|\w+Ar|_ar): ['`]([^'`]+)['`]|\bsay\([^)]*?, ['`]([^'`]*\p{Script=Arabic}[^'`]*)['`]\)/gu;

/** What Arabic texts of the demo contain in Latin letters: escapes, addresses, values of code, ids, and the names of technologies. */
const latinOfDemo =
  /\\n|\\u[0-9a-f]{4}|https?:\S+|\S+@\S+|\$\{[^}]*\}|prd_\w+|[A-Z]{2}\d+[A-Z]*|\d{4}-\d\d-\d\dT\S+|Wi.Fi/g;

/** Returns the Latin words in the Arabic texts of a line of the demo. */
const englishIn = (line: string): string[] =>
  [...line.matchAll(arabicOfDemo)].flatMap(([, first = '', second = '']) => {
    const text = first || second;
    return /\p{Script=Arabic}/u.test(text) ? (text.replaceAll(latinOfDemo, '').match(/[A-Za-z]{2,}/g) ?? []) : [];
  });

/** Parts of identifiers in TypeScript. */
const identifiers: BannedPhrase[] = [
  {
    pattern: /\b(?!answered\b)\w*[aA]nswer\w*\b/,
    use: 'reply, response, result or submission',
    except: /^(?:service|test|demo)\//,
  },
  {
    // The contract's question imports have a field `answer`, and a finished tool call has the status `answered`.
    pattern: /\b(?:\w+Answer\w*|answer(?!ed\b|s?\b)[a-zA-Z]+)\b(?<!AnswerSource)/,
    use: 'reply, response, result or submission',
  },
  {
    pattern: /\b\w*(?:[pP]atience|[sS]urroundings|[pP]articulars|[hH]appening|[uU]nwatched|[eE]lsewhere)\w*\b/,
    use: 'see the glossary',
  },
  { pattern: /\b(?:takePlace|giveBackPlace|plainWish|sealPhrase|createSeal|lookUp)\b/, use: 'see the glossary' },
  { pattern: /\b(?:draw|drawn|redraw)[A-Z]\w*\b/, use: 'render', except: /^(?:demo|test)\// },
];

const root = fileURLToPath(new URL('..', import.meta.url));
const allowed =
  /^(?:CONTRIBUTING\.md|scripts\/check-language\.ts|LICENSE)$|package-lock\.json$|\.(?:png|sql|snap)$|migrations\/|^service\/seed\/knowledge\//;
const prose = /\.(?:ts|mjs|js|jsx|md|html|css|json|svelte|vue)$/;

const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((file) => prose.test(file) && !allowed.test(file) && existsSync(`${root}/${file}`));

let count = 0;
for (const file of files) {
  const banned = [...phrases, ...arabic, ...(file.endsWith('.ts') ? identifiers : [])];
  for (const [index, line] of readFileSync(`${root}/${file}`, 'utf8').split('\n').entries()) {
    if (conversations.test(file)) {
      for (const word of englishIn(line)) {
        count++;
        console.error(`${file}:${index + 1}: “${word}” in an Arabic text → an Arabic word`);
      }
    }
    for (const { pattern, use, except, only } of banned) {
      const match = except?.test(file) || only?.test(file) === false ? null : pattern.exec(line);
      if (!match) continue;
      count++;
      console.error(`${file}:${index + 1}: “${match[0]}” → ${use}`);
    }
  }
}

/** The years of school that a text may need: of all pages on average, and of one page. */
const grades = { average: 8, page: 10 };
/** Words of a page, without its code and tables. */
const longestPage = 1_500;
/** Pages in English. The faults and the reference are generated lists. */
const pages = files.filter((file) =>
  /^(?:docs\/(?!ar\/|faults\.md|api\.md).*|README|CONTRIBUTING|SECURITY)(?:\.md)$/.test(file),
);

/** Returns the text of each paragraph of a page. A piece of code counts as one word. */
const paragraphsOf = (markdown: string): string[] => {
  const paragraphs: string[] = [];
  const walker = new Parser().parse(markdown).walker();
  for (let step = walker.next(); step; step = walker.next()) {
    const { node, entering } = step;
    if (node.type === 'paragraph' && entering) paragraphs.push('');
    const text: Partial<Record<Node['type'], string>> = { code: 'code', text: node.literal ?? '', softbreak: ' ' };
    if (paragraphs.length > 0 && entering) paragraphs[paragraphs.length - 1] += text[node.type] ?? '';
  }
  return paragraphs.filter((text) => text !== '' && !text.startsWith('|'));
};

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
const words = new Intl.Segmenter('en', { granularity: 'word' });

const readings = pages.map((page) => {
  const paragraphs = paragraphsOf(readFileSync(`${root}/${page}`, 'utf8'));
  const found = paragraphs.flatMap((text) => [...words.segment(text)]).filter(({ isWordLike }) => isWordLike);
  const grade = fleschKincaid({
    sentence: paragraphs.reduce((sum, text) => sum + [...sentences.segment(text)].length, 0),
    word: found.length,
    syllable: found.reduce((sum, { segment }) => sum + Math.max(1, syllable(segment)), 0),
  });
  return { page, grade, length: found.length };
});
/** A page with fewer words has too few sentences for a grade. */
const graded = readings.filter(({ length }) => length >= 100);
const problems = [
  ...graded
    .filter(({ grade }) => grade > grades.page)
    .map(({ page, grade }) => `${page}: grade ${grade.toFixed(1)} → shorter sentences, plainer words`),
  ...readings
    .filter(({ length }) => length > longestPage)
    .map(({ page, length }) => `${page}: ${length} words → several pages of at most ${longestPage}`),
];
for (const problem of problems) console.error(problem);
count += problems.length;
const average = graded.reduce((sum, { grade }) => sum + grade, 0) / graded.length;
if (!(average <= grades.average)) count++;

console.log(`language: ${files.length} files, ${pages.length} pages of grade ${average.toFixed(1)}, ${count} problems`);
if (count > 0) process.exitCode = 1;
