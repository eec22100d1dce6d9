/**
 * `npm run docs:lighthouse`: measures the pages of the docs' site, and writes the scores to `pages.json` and `docs/figures.md`.
 * `-- /api.html` measures one page, and `-- --part=2/8` the second eighth of them. Other pages keep their scores.
 */
import { spawnSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { writeFormatted } from '../../scripts/write-formatted.ts';
import { chromiumPath } from '../support/browsers/chromium.ts';
import earlier from './pages.json' with { type: 'json' };
import { pagesSection, withSection, type PageScores } from './sections.ts';

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const collected = pathOf('pages.measured.json');
const figures = pathOf('../../docs/figures.md');

const options = process.argv.slice(2);
const { status } = spawnSync(process.execPath, [pathOf('../../docs/lighthouse.mjs'), ...options], {
  stdio: 'inherit',
  env: { ...process.env, CHROME_PATH: chromiumPath(), SCORES_FILE: collected },
});
const measured = JSON.parse(await readFile(collected, 'utf8')) as PageScores;
await rm(collected);
const isWhole = options.length === 0;
const merged = Object.entries({ ...(!isWhole && (earlier as PageScores)), ...measured });
const scores = Object.fromEntries(merged.toSorted(([a], [b]) => (a < b ? -1 : 1)));
writeFormatted(pathOf('pages.json'), JSON.stringify(scores));
writeFormatted(figures, withSection(await readFile(figures, 'utf8'), pagesSection(scores)));
process.exitCode = status ?? 1;
