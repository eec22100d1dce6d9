/**
 * Measures pages with Lighthouse's phone profile, for `npm run bench:lighthouse`. The arguments are URLs. `RESULTS_FILE` names the file for
 * the results: for each page the medians of its script time and its blocking time in milliseconds, and of its score.
 */
import { writeFile } from 'node:fs/promises';
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';

const runs = 5;
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Returns the milliseconds of the scripts that the page has loaded: parsing, compiling and running. */
const scriptTime = ({ audits }) =>
  (audits['bootup-time'].details?.items ?? [])
    .filter(({ url }) => url.endsWith('.js'))
    .reduce((sum, { scripting, scriptParseCompile }) => sum + scripting + scriptParseCompile, 0);

const results = [];
for (const url of process.argv.slice(2)) {
  const found = [];
  for (let run = 0; run < runs; run++) {
    const chrome = await launch({ chromeFlags: ['--headless=new', '--no-sandbox'], logLevel: 'silent' });
    const { lhr } = await lighthouse(url, { port: chrome.port, onlyCategories: ['performance'], logLevel: 'error' });
    chrome.kill();
    found.push({
      script: scriptTime(lhr),
      blocking: lhr.audits['total-blocking-time'].numericValue,
      score: lhr.categories.performance.score * 100,
    });
  }
  const of = (key) => Math.round(median(found.map((each) => each[key])));
  results.push({ script: of('script'), blocking: of('blocking'), score: of('score') });
}
await writeFile(process.env.RESULTS_FILE, JSON.stringify(results));
