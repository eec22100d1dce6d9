/** An application that webpack bundles, on a page that enforces Trusted Types (docs/frameworks.md, "webpack and Rspack"). */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import type { Browser } from 'playwright';
import { packagesOf } from '../support/packages-of.ts';
import { Widget } from '../support/pages/visit.ts';
import { listen } from '../support/servers/listen.ts';
import { limit } from '../support/time-limits.ts';

interface Compilation {
  hasErrors(): boolean;
  toString(): string;
}

type Webpack = (options: object, done: (error: Error | null, stats?: Compilation) => void) => void;

const policy =
  "script-src 'self'; require-trusted-types-for 'script'; trusted-types webpack lit-html 'allow-duplicates'";

const bundle = async (folder: string, output: object): Promise<void> => {
  const webpack = createRequire(join(packagesOf('frameworks'), 'index.js'))('webpack') as Webpack;
  const entry = join(folder, 'app.js');
  await writeFile(entry, "import 'workspace-chat';\n");
  const stats = await new Promise<Compilation>((resolve, reject) => {
    const options = {
      mode: 'production',
      context: folder,
      entry,
      output: { path: join(folder, 'dist'), filename: 'app.js', ...output },
    };
    webpack(options, (error, result) => (error ? reject(error) : resolve(result!)));
  });
  assert(!stats.hasErrors(), stats.toString());
};

const serve = async (folder: string, attributes: string) => {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>Page</title>
    <workspace-chat ${attributes}></workspace-chat><script src="/app.js"></script>`;
  const { url, close } = await listen((request, response) => {
    const { pathname } = new URL(request.url!, 'http://site');
    if (!pathname.endsWith('.js')) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy });
      response.end(html);
      return;
    }
    void readFile(join(folder, 'dist', basename(pathname))).then((bytes) =>
      response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(bytes),
    );
  });
  return { url: `${url}/`, close };
};

/** Bundles the application with the options, and returns the errors of its page until `use` has ended. */
const errorsOf = async (
  { folder, browser, attributes }: Application,
  output: object,
  use: (widget: Widget) => Promise<void>,
): Promise<string[]> => {
  await bundle(folder, output);
  const site = await serve(folder, attributes);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  context.setDefaultTimeout(limit(15_000));
  try {
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    const widget = new Widget(page);
    await page.goto(site.url);
    await use(widget);
    return errors;
  } finally {
    await context.close();
    await site.close();
  }
};

interface Application {
  /** A folder in which the package is installed. */
  folder: string;
  browser: Browser;
  /** The attributes of the element. */
  attributes: string;
}

export const checkTrustedTypes = async (application: Application): Promise<void> => {
  const errors = await errorsOf(application, { trustedTypes: { policyName: 'webpack' } }, async (widget) => {
    await widget.open();
    assert.match(await widget.ask('When are you open on Friday?'), /16:00/);
  });
  assert.deepEqual(errors, []);
  const refused = await errorsOf(application, {}, async ({ page, launcher }) => {
    const violation = page.waitForEvent('console', (message) => message.text().includes('TrustedScriptURL'));
    await launcher.click();
    await violation;
    // webpack never settles its promise: the chat gives up after 15 s.
    await page.getByText('The chat could not be loaded.').waitFor({ timeout: limit(30_000) });
    await page.getByRole('button', { name: 'Try again' }).waitFor();
  });
  assert.match(refused.join('\n'), /TrustedScriptURL/);
};
