/**
 * `npm run release`: makes the files of a release in `release/`, and the tag of its commit.
 *
 * 1. Recorded changes (`.changeset/*.md`) become the next version and its section of CHANGELOG.md, in a commit.
 * 2. The package for npm, the zip for uploading, and `SHA256SUMS` are built from that commit.
 * 3. The commit gets the tag `v<version>`. Nothing is pushed or published.
 *
 * With `--dry-run` it only builds the files: of the present version, with or without uncommitted changes. `--zip <file>` writes a copy
 * of the zip, such as for the docs site.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { zipOf } from './release.ts';
import { buildSinglePages } from './single-pages.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'release');

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const npm = (...args: string[]): void => void execFileSync('npm', args, { cwd: root, stdio: 'inherit' });

const fail = (problem: string): never => {
  console.error(problem);
  process.exit(1);
};

const readVersion = async (): Promise<string> => {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  return manifest.version;
};

/** Makes the next version if changes are recorded, in a commit of its own. */
const makeVersion = async (): Promise<void> => {
  if (git('status', '--porcelain')) fail('There are uncommitted changes. Commit them first, or use --dry-run.');
  const recorded = (await readdir(join(root, '.changeset'))).filter((file) => /^(?!README).*\.md$/.test(file));
  if (recorded.length === 0) return;
  npm('run', 'release:version');
  git('add', '--all');
  git('commit', '--message', `chore(release): v${await readVersion()}`);
};

const checkVersion = async (version: string): Promise<void> => {
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  const heading = changelog.split('\n').find((line) => line.startsWith(`## ${version}`));
  if (!heading) fail(`CHANGELOG.md has no section “${version}”.`);
  if (heading!.includes('unreleased')) fail(`Write the date in place of “unreleased” at “${version}” in CHANGELOG.md.`);
  const tagged = git('tag', '--list', `v${version}`) && git('rev-list', '-n', '1', `v${version}`);
  if (tagged && tagged !== git('rev-parse', 'HEAD'))
    fail(`v${version} is the tag of an earlier commit. Record a change for the next version: npx changeset`);
};

/** Returns the files below a folder, by their paths with slashes. */
const readFiles = async (from: string, isRead: (path: string) => boolean): Promise<Map<string, Buffer>> => {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => isRead(relative(from, path).split(sep).join('/')));
  const read = async (path: string) => [relative(from, path).split(sep).join('/'), await readFile(path)] as const;
  return new Map(await Promise.all(paths.map(read)));
};

const makeFiles = async (version: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  npm('run', 'build');
  npm('pack', '--silent', '--pack-destination', folder);
  const { release } = JSON.parse(await readFile(join(root, 'dist/cdn/integrity.json'), 'utf8')) as { release: string };
  // Folders of earlier builds may be left.
  const isOfOther = (path: string) => /^\d/.test(path) && !path.startsWith(`${release}/`);
  const files = await readFiles(join(root, 'dist/cdn'), (path) => !isOfOther(path));
  const date = new Date(git('log', '-1', '--format=%cI'));
  const zip = zipOf(files, { version, pages: await buildSinglePages('embed.js'), date });
  await writeFile(join(folder, `workspace-chat-${version}.zip`), zip);
  const sums = (await readdir(folder)).sort().map(async (name) => {
    const sum = createHash('sha256').update(await readFile(join(folder, name)));
    return `${sum.digest('hex')}  ${name}\n`;
  });
  await writeFile(join(folder, 'SHA256SUMS'), (await Promise.all(sums)).join(''));
};

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false }, zip: { type: 'string' } } });
const isDryRun = values['dry-run'];
if (!isDryRun) await makeVersion();
const version = await readVersion();
if (!isDryRun) await checkVersion(version);
await makeFiles(version);
if (values.zip) await copyFile(join(folder, `workspace-chat-${version}.zip`), values.zip);
if (!isDryRun && !git('tag', '--list', `v${version}`))
  git('tag', '--annotate', `v${version}`, '--message', `v${version}`);
console.log(`
release/ holds:
  workspace-chat-${version}.tgz   the package for npm
  workspace-chat-${version}.zip   for uploading to a website, with the installer
  SHA256SUMS
${isDryRun ? 'No version, commit or tag was made.' : `Now push the commit and the tag v${version}; its workflow publishes the package. See docs/releasing.md.`}`);
