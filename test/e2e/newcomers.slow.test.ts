/** Five people who use the widget for the first time: each road is walked from an empty folder, as the docs describe it. */
import { execFile, spawn } from 'node:child_process';
import { appendFile, mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { build } from 'vite';
import type { Page } from '@playwright/test';
import { attributesOf, expect, it as base } from '../support/fixtures.ts';
import { App } from '../support/pages/app.ts';
import { Widget } from '../support/pages/visit.ts';
import { makeFolder } from '../support/servers/built-widget.ts';
import { limit } from '../support/time-limits.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** What `npm run release` has made: the zip's contents by path, and the package's file. */
interface Release {
  zip: Record<string, Uint8Array>;
  packed: string;
}

/** Each step is what a person does, in words, and what the machine does for it. */
type Step = [name: string, take: () => Promise<void>];

const it = base.extend<{ emptyFolder: string }, { release: Release }>({
  release: [
    async ({}, use) => {
      await run('npm', ['run', 'release', '--', '--dry-run'], { cwd: root });
      const folder = join(root, 'release');
      const fileOf = (names: string[], end: string) =>
        join(
          folder,
          names.find((name) => name.endsWith(end))!,
        );
      const names = await readdir(folder);
      await use({ zip: unzipSync(await readFile(fileOf(names, '.zip'))), packed: fileOf(names, '.tgz') });
    },
    { scope: 'worker', timeout: limit(300_000) },
  ],
  emptyFolder: async ({}, use) => {
    const { folder, remove } = await makeFolder();
    await use(folder);
    await remove();
  },
});

/** Takes the steps. `npm run bench:roads` collects their number and time. */
const walk = async (who: string, mostSteps: number, steps: Step[]): Promise<void> => {
  expect(steps.length).toBeLessThanOrEqual(mostSteps);
  const start = performance.now();
  for (const [name, take] of steps) await it.step(name, take);
  const road = { who, steps: steps.map(([name]) => name), seconds: (performance.now() - start) / 1000 };
  const { ROADS_FILE } = process.env;
  if (ROADS_FILE) await appendFile(ROADS_FILE, `${JSON.stringify(road)}\n`);
};

const writeFiles = async (folder: string, files: Record<string, Uint8Array>): Promise<void> => {
  for (const [name, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), bytes);
  }
};

const question = 'When are you open on Friday?';
const expectReply = async (page: Page): Promise<void> => {
  const widget = new Widget(page);
  await widget.open();
  expect(await widget.ask(question)).toMatch(/16:00/);
};

it.describe.configure({ mode: 'serial' });

it.describe('a newcomer gets a reply', () => {
  // The installer sends requests that the service must reject.
  it.use({ allowedErrors: [/status of (403|422|404)/] });

  it('as the owner of a website, without Node.js', async ({ newPage, service, serve, release, emptyFolder }) => {
    const pages: Record<string, string> = {};
    const website = await serve(pages, { '/': emptyFolder });
    const [folder] = Object.keys(release.zip).map((path) => path.split('/')[0]);
    let code = '';
    await walk('Site owner, no Node.js', 3, [
      ['Unpack the zip and upload its folder', () => writeFiles(emptyFolder, release.zip)],
      [
        'Open the installer, enter three values, copy the code',
        async () => {
          const page = await newPage();
          await page.goto(`${website.url}/${folder}/installer.html`);
          await page.getByLabel('Address of the service').fill(service.settings.baseUrl);
          await page.getByLabel('Publishable key').fill(service.settings.publishableKey);
          await page.getByLabel('Agent', { exact: true }).fill(service.settings.agentId);
          await page.getByRole('button', { name: 'Check and continue' }).click();
          await expect(page.getByRole('heading', { name: 'No problem found.' })).toBeVisible();
          code = (await page.getByRole('region', { name: 'HTML', exact: true }).textContent())!;
          expect(code).toContain(`${website.url}/${folder}/embed.js`);
        },
      ],
      [
        'Paste the code into the page',
        async () => {
          pages['/index.html'] = `<!doctype html><html lang="en"><title>My shop</title><h1>My shop</h1>${code}</html>`;
          const page = await newPage();
          await page.goto(`${website.url}/index.html`);
          await expectReply(page);
        },
      ],
    ]);
  });

  it('as a React developer', async ({ newPage, service, serve, release, emptyFolder }) => {
    const { baseUrl, publishableKey, agentId } = service.settings;
    await walk('React developer', 3, [
      [
        'Install the package',
        async () => {
          // Unpacks what `npm install` would unpack, and takes the packages that it depends on from this repository.
          const modules = join(emptyFolder, 'node_modules');
          await mkdir(join(modules, 'workspace-chat'), { recursive: true });
          await run('tar', ['-xzf', release.packed, '-C', join(modules, 'workspace-chat'), '--strip-components=1']);
          const manifest = JSON.parse(await readFile(join(modules, 'workspace-chat/package.json'), 'utf8')) as {
            dependencies: Record<string, string>;
          };
          for (const name of [...Object.keys(manifest.dependencies), 'react', 'react-dom']) {
            await mkdir(dirname(join(modules, name)), { recursive: true });
            await symlink(join(root, 'node_modules', name), join(modules, name));
          }
        },
      ],
      [
        'Render the component',
        () =>
          writeFile(
            join(emptyFolder, 'main.tsx'),
            `import { createRoot } from 'react-dom/client';
import { WorkspaceChat } from 'workspace-chat/react';
createRoot(document.querySelector('#app')!).render(
  <WorkspaceChat baseUrl="${baseUrl}" publishableKey="${publishableKey}" agentId="${agentId}" />,
);`,
          ),
      ],
      [
        'Build the application and open it',
        async () => {
          const html = '<!doctype html><html lang="en"><title>App</title><div id="app"></div>';
          await writeFile(
            join(emptyFolder, 'index.html'),
            `${html}<script type="module" src="main.tsx"></script></html>`,
          );
          await build({ root: emptyFolder, configFile: false, logLevel: 'error', build: { target: 'es2022' } });
          const built = await readFile(join(emptyFolder, 'dist/index.html'), 'utf8');
          const page = await newPage();
          await page.goto((await serve({ '/': built }, { '/assets/': join(emptyFolder, 'dist/assets') })).url);
          await expectReply(page);
        },
      ],
    ]);
  });

  it('as a developer of an app for iOS', async ({ newPage, service, release, emptyFolder }) => {
    const page = await newPage({ viewport: { width: 390, height: 844 }, hasTouch: true });
    const app = new App(page);
    const folder = join(emptyFolder, Object.keys(release.zip)[0]!.split('/')[0]!);
    await walk('iOS developer (the steps of the app are played by a test)', 5, [
      ['Copy webview.html and webview.js out of the zip into the app', () => writeFiles(emptyFolder, release.zip)],
      ['Set the configuration in a user script', () => app.install('webkit', service.settings)],
      [
        'Load the page into a WKWebView',
        async () => {
          await page.goto(pathToFileURL(join(folder, 'webview.html')).href);
          await app.take('ready', ({ configured }) => configured === true);
        },
      ],
      [
        'Handle its messages',
        async () => {
          await app.post('send', { text: question });
          const { message } = await app.take('message');
          expect((message as { content: string }).content).toMatch(/16:00/);
        },
      ],
    ]);
  });

  it('as a designer', async ({ newPage, demo, serve, cdnBuild, service }) => {
    let css = '';
    const studio = await newPage();
    await walk('Designer', 4, [
      ['Open the theme studio of the demo', async () => void (await studio.goto(`${demo.url}theming.html`))],
      [
        'Choose the color',
        async () => {
          await studio.getByLabel('Accent', { exact: true }).fill('#0b6e4f');
          await expect(studio.locator('#verdict')).toHaveText('All pairs have enough contrast for WCAG AA.');
        },
      ],
      ['Copy the CSS', async () => void (css = (await studio.locator('#css').textContent())!)],
      [
        'Paste it into the page’s style sheet',
        async () => {
          const tag = `<script async src="/cdn/embed.js" ${attributesOf(service.settings, 'data-')}></script>`;
          const html = `<!doctype html><html lang="en"><title>Shop</title><style>${css}</style>${tag}</html>`;
          const page = await newPage();
          await page.goto((await serve({ '/': html }, { '/cdn/': cdnBuild.folder })).url);
          await expect(page.locator('workspace-chat .launcher')).toHaveCSS('background-color', 'rgb(11, 110, 79)');
          await expectReply(page);
        },
      ],
    ]);
  });

  it('as a developer of a backend', async ({ emptyFolder }) => {
    const options = ['--port', '0', '--data', join(emptyFolder, 'data'), '--seed', 'demo'];
    const command = ['--import', 'tsx', 'service/main.ts', ...options];
    const service = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
    const printed: Record<string, string> = {};
    try {
      await walk('Backend developer', 3, [
        [
          'Start the service',
          async () => {
            let text = '';
            for await (const chunk of service.stdout) {
              text += String(chunk);
              for (const [, name, value] of text.matchAll(/^(\w[\w ]*?) {2,}(\S.*)$/gm)) printed[name!] = value!;
              if (printed['Replies from']) break;
            }
          },
        ],
        [
          'Send a question with the printed key',
          async () => {
            const response = await fetch(`${printed['Base URL']}/agents/${printed['Agent']}/chat`, {
              method: 'POST',
              headers: { authorization: `Bearer ${printed['Secret key']}`, 'content-type': 'application/json' },
              body: JSON.stringify({ messages: [{ role: 'user', content: question }] }),
            });
            expect(JSON.stringify(await response.json())).toMatch(/16:00/);
          },
        ],
      ]);
    } finally {
      service.kill();
    }
  });
});
