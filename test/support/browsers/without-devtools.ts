/** Opens a page in a Chromium without DevTools: with DevTools attached, no page enters the back/forward cache. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumPath } from './chromium.ts';
import { serveSite } from '../servers/site.ts';

/** Opens a site whose pages are all `html`, and resolves to the value that one of them passes to `report(value)`. */
export const reportWithoutDevtools = async (html: string): Promise<unknown> => {
  let report!: (value: unknown) => void;
  const reported = new Promise<unknown>((resolve) => {
    report = resolve;
  });
  const tools = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
    <script>
      window.report = (value) => fetch('/report', { method: 'POST', body: JSON.stringify(value) });
    </script>`;
  const site = await serveSite(() => tools + html, report);
  const profile = await mkdtemp(join(tmpdir(), 'without-devtools-'));
  const flags = ['--headless=new', '--disable-gpu', '--no-first-run', '--disable-background-networking'];
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = spawn(chromiumPath(), [...flags, ...sandbox, `--user-data-dir=${profile}`, site.url], {
    stdio: 'ignore',
  });
  try {
    return await Promise.race([
      reported,
      once(browser, 'exit').then(([code]) => Promise.reject(new Error(`The browser exited with code ${code}.`))),
    ]);
  } finally {
    browser.kill('SIGKILL');
    if (browser.exitCode === null && browser.signalCode === null) await once(browser, 'exit');
    await site.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
};
