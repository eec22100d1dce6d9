/** `npm run check`: packs the package, and tests the result on a server, with a compiler and with linters. Needs a build. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { validateCem } from '@wc-toolkit/cem-validator';
import type { Package } from 'custom-elements-manifest/schema';
import manifest from '../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'workspace-chat-package-'));
const modules = join(folder, 'node_modules');
const consumer = `
import { WorkspaceChatElement, type ClientTool } from 'workspace-chat/element.js';
import { createConversation } from 'workspace-chat/client';
import { configureTesting, createFakeService } from 'workspace-chat/testing';
import 'workspace-chat';

const chat = document.createElement('workspace-chat');
const same: WorkspaceChatElement = chat;
chat.mode = 'inline';
// @ts-expect-error There is no such mode.
chat.mode = 'sideways';
addEventListener('workspace-chat-open', () => same.hide());
document.addEventListener('workspace-chat-message', ({ message }) => message.content.trim());
document.body.addEventListener('workspace-chat-message', ({ message }) => message.content.trim());
window.addEventListener('workspace-chat-tool', ({ callId }) => callId.trim());
document.querySelector('main')!.addEventListener('workspace-chat-unread', ({ count }) => count.toFixed());
document.querySelector('.help')!.addEventListener('workspace-chat-link', ({ url }) => url.trim());
document.querySelector('.help')!.attachShadow({ mode: 'open' }).addEventListener('workspace-chat-send', ({ text }) => text.trim());
// @ts-expect-error The event has no such field.
document.addEventListener('workspace-chat-message', ({ count }) => count);
const tool: ClientTool<{ id: string }> = { name: 'find', run: ({ id }) => ({ id }) };
chat.registerTool(tool);
const service = createFakeService();
configureTesting({ fetch: service.fetch });
const conversation = createConversation({ ...service, storage: 'memory' });
conversation.on('message', ({ message }) => message.content.trim());
// @ts-expect-error There is no such event.
conversation.on('open', () => {});
`;

/** Imports nothing but the entry for React. */
const reactConsumer = `
import { createRef } from 'react';
import { WorkspaceChat, type ClientTool, type WorkspaceChatElement, type WorkspaceChatProps } from 'workspace-chat/react';

const ref = createRef<WorkspaceChatElement>();
const account: WorkspaceChatProps = { baseUrl: 'https://api.example/api/v2', publishableKey: 'svc_pk_1', agentId: 'agt_1' };
const contact = async () => ({ token: 'proof' });
document.addEventListener('workspace-chat-message', ({ message }) => message.content.trim());
const tool: ClientTool<{ id: string }> = { name: 'find', run: ({ id }) => ({ id }) };
ref.current?.registerTool(tool);

export const component = (
  <WorkspaceChat
    {...account}
    ref={ref}
    className="support"
    style={{ color: 'red' }}
    data-area="help"
    aria-label="Help"
    mode="inline"
    open={undefined}
    starters={['When are you open?']}
    strings={{ send: 'Send it' }}
    contact={contact}
    onClick={(event) => event.currentTarget.toggle()}
    onMessage={({ message }) => message.content.trim()}
    onSend={(event) => event.text === '' && event.preventDefault()}
    onError={({ code, retryable }) => retryable && code.trim()}
  >
    <b slot="header-end">Help</b>
  </WorkspaceChat>
);
// @ts-expect-error There is no such mode.
export const wrongMode = <WorkspaceChat {...account} mode="sideways" />;
// @ts-expect-error The agent is missing.
export const incomplete = <WorkspaceChat baseUrl="https://api.example/api/v2" publishableKey="svc_pk_1" />;
// @ts-expect-error The event has no such field.
export const wrongField = <WorkspaceChat {...account} onUnread={({ message }) => message} />;
export const tag = (
  <workspace-chat
    ref={ref}
    base-url="https://api.example/api/v2"
    heading="Ask us"
    starters={['When are you open?']}
    onworkspace-chat-message={({ message }) => message.content.trim()}
  />
);
`;

const run = (command: string, args: string[], cwd: string): string => {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
};

/** Checks the manifest with every rule of the validator, most of which are only warnings by default. */
const checkManifest = async (packed: string, paths: readonly string[]): Promise<void> => {
  const elements = JSON.parse(readFileSync(join(packed, 'dist/custom-elements.json'), 'utf8')) as Package;
  const severity = 'error';
  await validateCem(elements, {
    packageJsonPath: join(packed, 'package.json'),
    rules: {
      packageJson: {
        packageType: severity,
        main: severity,
        module: severity,
        types: severity,
        exports: severity,
        customElementsProperty: severity,
        publishedCem: severity,
      },
      manifest: {
        schemaVersion: severity,
        modulePath: severity,
        definitionPath: severity,
        typeDefinitionPath: severity,
        exportTypes: severity,
        tagName: severity,
      },
    },
  });
  // The validator checks only the form of the paths.
  for (const { path } of elements.modules) assert(paths.includes(path), `the manifest names ${path}, which is missing`);
};

/** Checks that no file names a folder of the build, which has another name each time: two builds of a version are equal. */
const checkBuildPaths = (packed: string, paths: readonly string[]): void => {
  for (const path of paths.filter((each) => /\.(?:js|ts|json|html)$/.test(each)))
    assert(
      !readFileSync(join(packed, path), 'utf8').includes('workspace-chat-types-'),
      `${path} names a temporary folder`,
    );
};

/** Checks that no module names a source map. The modules for npm are readable, and the release has the maps of the script tag. */
const checkSourceMaps = (packed: string, paths: readonly string[]): void => {
  for (const path of paths.filter((each) => /^dist\/.*\.js$/.test(each)))
    assert(!readFileSync(join(packed, path), 'utf8').includes('//# sourceMappingURL='), `${path} names its source map`);
  assert(!paths.some((path) => path.endsWith('.map')), 'a source map is in the package');
};

/** Evaluates each module in Node: a bundler for servers may put files that are loaded on demand into the file that imports them. */
const evaluateModules = (packed: string, paths: readonly string[]): void => {
  const modules = paths.filter((path) => /^dist\/(?!cdn\/).*\.js$/.test(path)).map((path) => join(packed, path));
  run(
    process.execPath,
    ['--input-type=module', '-e', modules.map((path) => `await import('${path}');`).join('\n')],
    packed,
  );
};

/** The largest package, in bytes. */
const maxPackedSize = 700_000;

const bin = (name: string): string => join(root, 'node_modules/.bin', name);

try {
  const packed = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root)) as {
    filename: string;
    size: number;
    files: { path: string }[];
  }[];
  const [{ filename, size, files }] = packed as [(typeof packed)[0]];

  assert(size <= maxPackedSize, `the package has ${size} bytes, and at most ${maxPackedSize} are allowed`);
  const paths = files.map(({ path }) => path);
  const strange = paths.filter((path) => !/^(dist\/|package\.json$|README\.md$|LICENSE$|CHANGELOG\.md$)/.test(path));
  assert.deepEqual(strange, [], 'the package holds more than it should');
  assert(
    !paths.some((path) => /\.test\.|\.ts$/.test(path) && !path.endsWith('.d.ts')),
    'sources or tests are in the package',
  );
  // The folder of the release contains copies of the same files.
  assert(!paths.some((path) => /^dist\/cdn\/(\d|snippet)/.test(path)), 'the script-tag files are in the package twice');
  const promised = Object.values(manifest.exports).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  );
  for (const target of promised.filter((path) => !path.includes('*')))
    assert(paths.includes(target.slice('./'.length)), `${target} is exported and missing`);
  // A source is named for the builds of this repository, and is not in the package.
  for (const pattern of manifest.sideEffects.filter((each) => !each.startsWith('./src/'))) {
    const [start = ''] = pattern.slice('./'.length).split('*');
    assert(
      paths.some((path) => path.startsWith(start)),
      `${pattern} has side effects and is missing`,
    );
  }
  for (const file of ['embed.js', 'workspace-chat.js', 'webview.js', 'webview.html'])
    assert(paths.includes(`dist/cdn/${file}`), `dist/cdn/${file} is missing`);

  run(bin('publint'), ['--strict'], root);
  // A CommonJS file must import the package, which contains only ES modules, with import().
  run(bin('attw'), [join(folder, filename), '--ignore-rules', 'cjs-resolves-to-esm'], root);

  // Install only the package and its dependencies.
  mkdirSync(join(modules, 'workspace-chat'), { recursive: true });
  run('tar', ['-xzf', filename, '-C', join(modules, 'workspace-chat'), '--strip-components=1'], folder);
  await checkManifest(join(modules, 'workspace-chat'), paths);
  checkSourceMaps(join(modules, 'workspace-chat'), paths);
  checkBuildPaths(join(modules, 'workspace-chat'), paths);
  const link = (name: string, as = name): void => {
    mkdirSync(dirname(join(modules, as)), { recursive: true });
    rmSync(join(modules, as), { force: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, as));
  };
  for (const name of [...Object.keys(manifest.dependencies), 'react', 'react-dom']) link(name);

  evaluateModules(join(modules, 'workspace-chat'), paths);

  const server = `
    const { WorkspaceChatElement } = await import('workspace-chat');
    const { WorkspaceChatElement: same } = await import('workspace-chat/element.js');
    if (typeof WorkspaceChatElement !== 'function' || WorkspaceChatElement !== same) throw new Error('The entries must export the same class.');
    const { createElement } = await import('react');
    const { renderToString } = await import('react-dom/server');
    const { WorkspaceChat } = await import('workspace-chat/react');
    const html = renderToString(createElement(WorkspaceChat, { agentId: 'agt_1', open: true, starters: ['Hello'] }));
    if (html !== '<workspace-chat agent-id="agt_1" open=""></workspace-chat>') throw new Error('React rendered ' + html);
    await import('workspace-chat/client');
    await import('workspace-chat/testing');
    const { renderLauncher } = await import('workspace-chat/ssr');
    if (!renderLauncher({ nonce: 'n' }).includes('shadowrootmode')) throw new Error('The launcher must be rendered.');
    await import('workspace-chat/doctor');
    const made = ['window', 'document'].filter((name) => name in globalThis);
    if (made.length > 0) throw new Error('The import defined browser globals: ' + made);
  `;
  run(process.execPath, ['--input-type=module', '--eval', server], folder);

  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'consumer.ts'), consumer);
  writeFileSync(join(folder, 'react.tsx'), reactConsumer);
  const options =
    '--noEmit --strict --ignoreConfig --jsx react-jsx --target ES2022 --lib ES2023,DOM,DOM.Iterable'.split(' ');
  for (const [module, resolution] of [
    ['NodeNext', 'NodeNext'],
    ['ESNext', 'Bundler'],
  ] as const) {
    const resolving = [...options, '--module', module, '--moduleResolution', resolution];
    run(bin('tsc'), [...resolving, 'consumer.ts'], folder);
    // The types of React 18 and 19.
    for (const types of ['types-react-18', '@types/react']) {
      link(types, '@types/react');
      run(bin('tsc'), [...resolving, 'react.tsx'], folder);
    }
  }
  console.log(
    `package: ${files.length} files, ${(size / 1024).toFixed(0)} KiB packed; publint, attw, cem-validator, Node and tsc accept it`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
