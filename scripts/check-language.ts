/** `npm run check`: rejects phrases that are not plain engineering English (see CONTRIBUTING.md, "Language"). */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

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
  /^(?:src\/locale\/(?:ar|launcher-strings)\.ts|src\/products\/doctor\/ar\.ts|service\/(?:core|replies|seed)\/.*\.ts|demo\/.*\.ts|docs\/ar\/.*\.md)$/;

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

console.log(`language: ${files.length} files, ${count} banned phrases`);
if (count > 0) process.exitCode = 1;
