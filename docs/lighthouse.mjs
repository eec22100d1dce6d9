/**
 * `npm run docs:lighthouse`: measures pages of the built site with Lighthouse, and fails below 95 in any category. Each page is
 * measured several times, and the median counts. Other work on the machine lowers the performance. `-- /api.html` measures one page.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';

const minimum = 95;
const runs = 3;
const folder = fileURLToPath(new URL('.vitepress/dist/', import.meta.url));
const categories = ['performance', 'accessibility', 'best-practices', 'seo'];
/** Pages of each kind: the home pages, live examples, long tables, the longest text, right to left. */
const allPaths = [
  '/',
  '/theming.html',
  '/api.html',
  '/faults.html',
  '/recipes/wordpress.html',
  '/ar/',
  '/ar/start-designer.html',
];
const named = process.argv.slice(2).filter((argument) => argument.endsWith('.html'));
const paths = named.length > 0 ? named : allPaths;

const types = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** Serves the site as a host for static files does: compressed, and with a long cache time for the hashed files. */
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://site');
  const file = join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname);
  readFile(file).then(
    (bytes) =>
      response
        .writeHead(200, {
          'content-type': types[extname(file)] ?? 'application/octet-stream',
          'content-encoding': 'gzip',
          'cache-control': pathname.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        })
        .end(gzipSync(bytes)),
    () => response.writeHead(404).end(),
  );
});
await new Promise((resolve) => {
  server.listen(0, '127.0.0.1', resolve);
});
const url = `http://127.0.0.1:${server.address().port}`;
const chrome = await launch({ chromeFlags: ['--headless=new', '--no-sandbox'], logLevel: 'silent' });

const measure = async (path) => {
  const result = await lighthouse(url + path, { port: chrome.port, onlyCategories: categories, logLevel: 'error' });
  return result.lhr;
};

/** Returns why a category has no full score. */
const failures = (lhr, name) =>
  lhr.categories[name].auditRefs
    .filter(({ id, weight }) => weight > 0 && lhr.audits[id].score !== null && lhr.audits[id].score < 0.9)
    .map(({ id }) => `  ${name}: ${id}: ${lhr.audits[id].displayValue ?? lhr.audits[id].title}`);

let isLow = false;
console.log(['page'.padEnd(26), ...categories].join('  '));
for (const path of paths) {
  const results = [];
  for (let run = 0; run < runs; run++) results.push(await measure(path));
  const byPerformance = results.sort((a, b) => a.categories.performance.score - b.categories.performance.score);
  const median = byPerformance[Math.floor(runs / 2)];
  const scores = categories.map((name) => Math.round(median.categories[name].score * 100));
  console.log(
    [path.padEnd(26), ...scores.map((score, index) => `${score}`.padStart(categories[index].length))].join('  '),
  );
  for (const [index, name] of categories.entries()) {
    if (scores[index] >= minimum) continue;
    isLow = true;
    console.log(failures(median, name).join('\n'));
  }
}
chrome.kill();
server.close();
if (isLow) {
  console.error(`\nA score is below ${minimum}.`);
  process.exitCode = 1;
}
