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
      /^docs\/ar\/|^service\/seed\/|^service\/knowledge\/(?:synonyms|decode-text)|^src\/locale\/added\/fr|^test\/bench\/replies\//,
  },
  { pattern: /\bplain wish\b|\bplainWish\b/i, use: 'explicit intent' },
];

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
  const banned = file.endsWith('.ts') ? [...phrases, ...identifiers] : phrases;
  for (const [index, line] of readFileSync(`${root}/${file}`, 'utf8').split('\n').entries()) {
    for (const { pattern, use, except } of banned) {
      const match = except?.test(file) ? null : pattern.exec(line);
      if (!match) continue;
      count++;
      console.error(`${file}:${index + 1}: “${match[0]}” → ${use}`);
    }
  }
}

console.log(`language: ${files.length} files, ${count} banned phrases`);
if (count > 0) process.exitCode = 1;
