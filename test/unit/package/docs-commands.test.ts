import assert from 'node:assert/strict';
import { access, readdir, readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import { settings } from '../../../service/settings.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { markdownPages, type MarkdownPage } from '../../support/docs-pages.ts';

/** Commands of applications of the reader, not of this repository. */
const foreignScripts = ['dev'];

describe('Commands in the docs', () => {
  let pages: MarkdownPage[];

  /** Returns what `pattern` captures in all pages, with the page. */
  const found = (pattern: RegExp): [file: string, name: string][] =>
    pages.flatMap(({ file, text }) => [...text.matchAll(pattern)].map(([, name]) => [file, name!] as [string, string]));

  before(async () => {
    pages = await markdownPages();
  });

  it('run only scripts of the package', () => {
    const scripts = found(/\bnpm (?:-w \S+ )?run ([a-z:-]*[a-z])/g);
    assert(scripts.length > 20);
    for (const [file, name] of scripts.filter(([, name]) => !foreignScripts.includes(name))) {
      assert(Object.hasOwn(packageJson.scripts, name), `${file}: there is no script ${name}`);
    }
  });

  it('run only existing files with tsx', async () => {
    const files = found(/\btsx ([\w./-]+\.ts)/g);
    assert(files.length > 0);
    for (const [file, path] of files) await assert.doesNotReject(access(path), `${file}: there is no ${path}`);
  });

  it('name only existing kinds of tests', async () => {
    const kinds = await readdir('test');
    for (const [file, kind] of found(/\bnpm test -- ([a-z]+)\b/g)) {
      assert(kinds.includes(kind), `${file}: there is no kind of tests ${kind}`);
    }
  });

  it('import only entries of the package', async () => {
    const entries = Object.keys(packageJson.exports).map((entry) => entry.replace(/^\./, 'workspace-chat'));
    const imports = found(/(?:from|import)\s*\(?'(workspace-chat(?:\/[\w./-]+)?)'/g);
    assert(imports.length > 20);
    const languages = await readdir('src/locale/added');
    const all = entries.flatMap((entry) =>
      entry.endsWith('/*') ? languages.map((file) => entry.replace('*', file.replace(/\.ts$/, ''))) : [entry],
    );
    for (const [file, name] of imports) assert(all.includes(name), `${file}: there is no entry ${name}`);
  });

  it('set only environment variables that the code reads', async () => {
    const roots = ['service', 'demo', 'scripts', 'test', 'docs/.vitepress'];
    const lists = await Promise.all(
      roots.map(async (root) => ({ root, files: await readdir(root, { recursive: true }) })),
    );
    const sources = lists.flatMap(({ root, files }) =>
      files.filter((file) => file.endsWith('.ts') && !file.includes('node_modules')).map((file) => `${root}/${file}`),
    );
    const code = (await Promise.all(sources.map((file) => readFile(file, 'utf8')))).join('\n');
    const names = found(/\b((?:WORKSPACE|MONKEY|DOCS)_[A-Z_]*[A-Z]|DATABASE_URL|TRUST_PROXY|CDN_URL)\b/g);
    assert(names.length > 10);
    for (const [file, name] of names) assert(code.includes(name), `${file}: nothing reads ${name}`);
  });

  it('define the shell function `team` once, and call it with paths from the root', () => {
    assert.equal(new Set(found(/^(team\(\) .*)$/gm).map(([, line]) => line)).size, 1);
    const calls = found(/^(?:until )?(?:export \w+=\$\()?team '?(\/\w+)/gm);
    assert(calls.length > 10);
    for (const [file, path] of calls) assert(['/team', '/api'].includes(path), `${file}: team ${path}`);
  });

  it('list every variable of the service in the settings', () => {
    const page = pages.find(({ file }) => file === 'docs/service/settings.md')!;
    const named = new Set(page.text.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g));
    const variables = Object.values(settings).flatMap(
      (setting: { option?: string; variable?: string }) => setting.variable ?? [],
    );
    assert.deepEqual(
      variables.filter((variable) => !named.has(variable)),
      [],
    );
  });

  it('describe every option and variable of the service, and only those', () => {
    const text = pages
      .filter(({ file }) => /^docs\/(?:service\/.*|operations\.md)$/.test(file))
      .map((page) => page.text)
      .join('\n');
    const all = Object.values(settings).flatMap((setting: { option?: string; variable?: string }) => [
      ...(setting.option ? [`--${setting.option}`] : []),
      ...(setting.variable ? [setting.variable] : []),
    ]);
    const named = new Set(text.match(/--[a-z][a-z-]*[a-z]|\b[A-Z]+(?:_[A-Z]+)+\b/g));
    // Each option has a variable with the same meaning, so one of both is enough.
    const isDescribed = ({ option, variable }: { option?: string; variable?: string }) =>
      named.has(`--${option}`) || named.has(variable ?? '');
    const missing = Object.entries(settings).filter(([, setting]) => !isDescribed(setting));
    assert.deepEqual(
      missing.map(([name]) => name),
      [],
    );
    const commands = found(/\bnpm run service -- ([^\n`#]*)/g).flatMap(([, given]) => given.match(/--[a-z-]+/g) ?? []);
    assert(commands.length > 5);
    for (const option of commands) assert([...all, '--help'].includes(option), `the service has no option ${option}`);
  });
});
