/** `npm run bench:roads`: walks the roads of the newcomers, and writes their steps and times to `roads.json` and the figures. */
import { execFileSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { writeFormatted } from '../../scripts/write-formatted.ts';
import { roadsSection, withSection, type Road } from './sections.ts';

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const collected = pathOf('roads.ndjson');
const stored = pathOf('roads.json');
const figures = pathOf('../../docs/figures.md');

await rm(collected, { force: true });
execFileSync(process.execPath, ['--import', 'tsx', pathOf('../run.ts'), 'test/e2e/newcomers.slow.test.ts'], {
  stdio: 'inherit',
  cwd: pathOf('../..'),
  env: { ...process.env, ROADS_FILE: collected },
});
const lines = (await readFile(collected, 'utf8')).trim().split('\n');
const roads = lines.map((line) => JSON.parse(line) as Road);
await rm(collected);
writeFormatted(stored, `${JSON.stringify(roads, null, 2)}\n`);
writeFormatted(figures, withSection(await readFile(figures, 'utf8'), roadsSection(roads)));
