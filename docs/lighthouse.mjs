/**
 * `npm run docs:lighthouse` measures every page of the built site with Lighthouse, and fails below 95 in any category.
 *
 * Each page is measured once. A page below 95 is measured twice more, and the median counts, because other work on the machine
 * lowers the performance. `/api.html` measures one page, and `--part=2/8` the second eighth of them. The environment variable
 * `SCORES_FILE` names a file to which the scores are written.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';

const minimum = 95;
const folder = fileURLToPath(new URL('.vitepress/dist/', import.meta.url));
const categories = ['performance', 'accessibility', 'best-practices', 'seo'];

/** Returns the paths of all pages, without the page for errors. */
const allPaths = async () => {
  const files = await readdir(folder, { recursive: true });
  return files
    .filter((file) => file.endsWith('.html') && file !== '404.html')
    .map((file) => `/${file.replaceAll('\\', '/').replace(/index\.html$/, '')}`)
    .sort();
};

/** Returns the paths that the arguments name. */
const wantedPaths = async (arguments_) => {
  const all = await allPaths();
  const named = arguments_.filter((argument) => argument.startsWith('/'));
  const unknown = named.filter((path) => !all.includes(path));
  if (unknown.length > 0) throw new Error(`The site has no page ${unknown.join(', ')}.`);
  if (named.length > 0) return named;
  const [, part = 1, parts = 1] = /^--part=(\d+)\/(\d+)$/.exec(arguments_.join('')) ?? [];
  return all.filter((_, index) => index % Number(parts) === Number(part) - 1);
};

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

const scoresOf = (lhr) => categories.map((name) => Math.round(lhr.categories[name].score * 100));
const isLow = (lhr) => scoresOf(lhr).some((score) => score < minimum);

/** Returns Lighthouse's result of a page: the first one, or the median of three when the first is low. */
const measure = async (path, chrome, url) => {
  const once = async () => {
    const options = { port: chrome.port, onlyCategories: categories, logLevel: 'error' };
    return (await lighthouse(url + path, options)).lhr;
  };
  const first = await once();
  if (!isLow(first)) return first;
  const results = [first, await once(), await once()];
  return results.sort((a, b) => a.categories.performance.score - b.categories.performance.score)[1];
};

/** Returns why a category has no full score. */
const failures = (lhr, name) =>
  lhr.categories[name].auditRefs
    .filter(({ id, weight }) => weight > 0 && lhr.audits[id].score !== null && lhr.audits[id].score < 0.9)
    .map(({ id }) => `  ${name}: ${id}: ${lhr.audits[id].displayValue ?? lhr.audits[id].title}`);

const paths = await wantedPaths(process.argv.slice(2));
await new Promise((resolve) => {
  server.listen(0, '127.0.0.1', resolve);
});
const url = `http://127.0.0.1:${server.address().port}`;
const chrome = await launch({ chromeFlags: ['--headless=new', '--no-sandbox'], logLevel: 'silent' });
const measured = {};
let low = 0;
console.log(['page'.padEnd(32), ...categories].join('  '));
for (const path of paths) {
  const lhr = await measure(path, chrome, url);
  measured[path] = scoresOf(lhr);
  console.log(
    [path.padEnd(32), ...measured[path].map((score, i) => `${score}`.padStart(categories[i].length))].join('  '),
  );
  if (!isLow(lhr)) continue;
  low++;
  for (const [index, name] of categories.entries())
    if (measured[path][index] < minimum) console.log(failures(lhr, name).join('\n'));
}
chrome.kill();
server.close();
if (process.env.SCORES_FILE) await writeFile(process.env.SCORES_FILE, JSON.stringify(measured));
if (low > 0) {
  console.error(`\n${low} pages have a score below ${minimum}.`);
  process.exitCode = 1;
}
