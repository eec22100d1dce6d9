/**
 * `npm run bench:lighthouse`: measures a page that has nothing but a chat which nobody opens, with Lighthouse's phone profile. Writes
 * `lighthouse.json` and a section of `docs/figures.md`.
 */
import { execFileSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { writeFormatted } from '../../scripts/write-formatted.ts';
import { chromiumPath } from '../support/browsers/chromium.ts';
import { installPackages } from '../support/packages-of.ts';
import { buildCdn } from '../support/servers/built-widget.ts';
import { deepChat, n8n, own, plain } from './peers.ts';
import { lighthouseSection, withSection, type LighthouseResult } from './sections.ts';
import { serveBench } from './server.ts';

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const collected = pathOf('lighthouse.measured.json');
const figures = pathOf('../../docs/figures.md');

installPackages('bench');
const widget = await buildCdn();
const server = await serveBench({ own: widget.folder });
const peers = [plain, own, deepChat, n8n];
try {
  const urls = peers.map(({ name }) => `${server.url}/${encodeURIComponent(name)}?later`);
  execFileSync(process.execPath, [pathOf('../../docs/lighthouse-widget.mjs'), ...urls], {
    stdio: 'inherit',
    env: { ...process.env, CHROME_PATH: chromiumPath(), RESULTS_FILE: collected },
  });
  const results = JSON.parse(await readFile(collected, 'utf8')) as Omit<LighthouseResult, 'name'>[];
  const named = results.map((result, index) => ({ name: peers[index]!.name, ...result }));
  console.table(named);
  writeFormatted(pathOf('lighthouse.json'), JSON.stringify(named));
  writeFormatted(figures, withSection(await readFile(figures, 'utf8'), lighthouseSection(named)));
} finally {
  await rm(collected, { force: true });
  await server.close();
  await widget.remove();
}
