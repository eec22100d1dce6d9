/**
 * `npm run test:frameworks`: the packed library in each framework's example, built, and used in a browser; the samples for apps; and
 * a bundle of webpack on a page that enforces Trusted Types.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createService } from '../../service/service.ts';
import { serveFolder } from '../support/servers/serve-folder.ts';
import { launchBrowser } from '../support/browsers/chromium.ts';
import { collectErrors } from '../support/pages/console-errors.ts';
import { Widget } from '../support/pages/visit.ts';
import { installPackages } from '../support/packages-of.ts';
import { freePort } from '../support/servers/listen.ts';
import { basePaths, samples } from './samples.ts';
import { checkTrustedTypes } from './trusted-types.ts';
import { checkWebviewSamples } from './webview-samples.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const examples = join(root, 'demo/frameworks');

const run = async (cwd: string, command: string, ...args: string[]): Promise<string> => {
  try {
    const { stdout } = await promisify(execFile)(command, args, {
      cwd,
      env: { ...process.env, CI: '1', ASTRO_TELEMETRY_DISABLED: '1', NEXT_TELEMETRY_DISABLED: '1' },
    });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    // oxlint-disable-next-line preserve-caught-error -- The message contains the output. The cause would print it again.
    throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`);
  }
};

/** Replaces the placeholders of the example with the values of the running service. */
const configure = async (folder: string, values: Record<string, string>): Promise<void> => {
  const names = ['index.html', 'src/workspace.ts', 'app/workspace.ts'];
  for (const name of names) {
    const path = join(folder, name);
    const text = await readFile(path, 'utf8').catch(() => null);
    if (text === null) continue;
    await writeFile(
      path,
      Object.entries(values).reduce((changed, [from, to]) => changed.replaceAll(from, to), text),
    );
  }
};

const appSamples = 'webview-samples';
const trustedTypes = 'trusted-types';

const wanted = process.argv.slice(2);
const names = (await readdir(examples, { withFileTypes: true }))
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .concat(appSamples, trustedTypes)
  .filter((name) => wanted.length === 0 || wanted.includes(name));
assert(names.length > 0, `There is no such example: ${wanted.join(' ')}`);

const work = await mkdtemp(join(tmpdir(), 'workspace-chat-frameworks-'));
const service = await createService({ chunkDelay: 1 });
const api = await service.listen(0);
const browser = await launchBrowser();
const { publishableKey, agentId } = service.demo;

interface Site {
  url: string;
  close(): Promise<void>;
}

/** Starts the example's own server on a free port. */
const startServer = async (folder: string, basePath: string): Promise<Site> => {
  const port = await freePort();
  // The server is a child of npm, so both are ended as a group.
  const server = spawn('npm', ['start'], {
    cwd: folder,
    detached: true,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(server, 'exit');
  let output = '';
  for await (const chunk of server.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += chunk as string;
    if (!output.includes(`:${port}`)) continue;
    server.stdout.resume();
    const close = async (): Promise<void> => {
      process.kill(-server.pid!);
      await exited;
    };
    return { url: `http://localhost:${port}${basePath}`, close };
  }
  throw new Error(`The server has ended.\n${output}`);
};

/** Installs and builds a copy of the example, and serves it. */
const start = async (name: string, tarball: string): Promise<Site> => {
  const folder = join(work, name);
  await cp(join(examples, name), folder, {
    recursive: true,
    filter: (path) =>
      !/[/\\](node_modules|dist|\.angular|\.astro|\.next|\.nuxt|\.output|\.svelte-kit|\.react-router)$/.test(path),
  });
  await cp(tarball, join(folder, 'workspace-chat.tgz'));
  await configure(folder, {
    'https://api.example/api/v2': api.baseUrl,
    'svc_pk_…': publishableKey,
    'agt_…': agentId,
  });
  // Named, so that npm reads the dependencies from the file, not from the lock, which an earlier version may have made.
  await run(folder, 'npm', 'install', './workspace-chat.tgz', '--no-audit', '--no-fund');
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    scripts?: Record<string, string>;
  };
  if (!scripts) return serveFolder(folder);
  await run(folder, 'npm', 'run', 'build');
  const basePath = basePaths[name] ?? '/';
  if (!scripts['start']) return serveFolder(join(folder, 'dist'), basePath);
  const site = await startServer(folder, basePath);
  const html = await (await fetch(site.url)).text();
  assert.match(html, /<workspace-chat [^>]*heading="Ask us"/, 'The server renders no chat.');
  return site;
};

/** Installs the package in a folder of its own, and bundles it with webpack. */
const useTrustedTypes = async (folder: string, tarball: string): Promise<void> => {
  installPackages('frameworks');
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  await run(folder, 'npm', 'install', tarball, '--no-audit', '--no-fund');
  const attributes = `base-url="${api.baseUrl}" publishable-key="${publishableKey}" agent-id="${agentId}"`;
  await checkTrustedTypes({ folder, browser, attributes });
};

/** Clicks a starter, which is a property. The page runs its tool, and shows the reply from an event. */
const use = async (site: Site): Promise<void> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  context.setDefaultTimeout(15_000);
  const errors: string[] = [];
  collectErrors(context, errors);
  try {
    const page = await context.newPage();
    const widget = new Widget(page);
    await page.goto(site.url);
    await widget.open();
    await page.getByRole('dialog', { name: 'Ask us' }).waitFor();
    await page.getByRole('button', { name: 'Where is my order 4711?' }).click();
    await widget.completeReplies.first().waitFor();
    await page.locator('#answer:not(:empty)').waitFor();
    assert.match(await page.locator('#order').innerText(), /4711/);
    assert.match(await page.locator('#answer').innerText(), /shipped/);
    assert.deepEqual(errors, []);
  } finally {
    await context.close();
    await site.close();
  }
};

let failed = 0;
try {
  await run(root, 'npm', 'run', 'build');
  const packed = await run(root, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', work);
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  const tarball = join(work, 'workspace-chat.tgz');
  await rename(join(work, filename), tarball);
  for (const name of names) {
    const started = performance.now();
    try {
      const folder = join(work, name);
      if (name === appSamples) await checkWebviewSamples(folder, run);
      else if (name === trustedTypes) await useTrustedTypes(folder, tarball);
      else await (samples[name] ?? use)(await start(name, tarball), { folder, browser });
      console.log(`✔ ${name} (${((performance.now() - started) / 1000).toFixed(0)} s)`);
    } catch (error) {
      failed++;
      console.error(`✖ ${name}\n`, error);
    }
  }
} finally {
  await browser.close();
  await api.close();
  await service.close();
  await rm(work, { recursive: true, force: true });
}
console.log(`\n${names.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
