/**
 * `npm run check`: the licences, the known vulnerabilities and the age of the packages that run on a site or in the service, as npm
 * itself knows them, and what would break the lock files without a change. What needs a registry that does not respond is skipped, and said to be.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import manifest from '../package.json' with { type: 'json' };
import service from '../service/package.json' with { type: 'json' };

interface Installed {
  name: string;
  version: string;
  license?: string;
}

interface Audit {
  /** Set when the registry has not responded. */
  message?: string;
  vulnerabilities?: Record<string, { severity: string }>;
}

/** The part of a package.json that replaces the versions of what packages depend on. */
interface Manifest {
  overrides?: Record<string, unknown>;
}

/** What the registry knows of a package. */
interface Packument {
  time: Record<string, string>;
  'dist-tags': { latest: string };
}

/** Licences that ask for no more than their own text. */
const allowed = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0', 'PSF-2.0']);
/** Years after the last release, when nobody may repair the package any more. */
const maxYears = 4;
const millisecondsOfYear = 365 * 24 * 3600 * 1000;

const problems: string[] = [];
const run = promisify(execFile);

/** Returns what a command of npm prints, also when it fails. */
const npm = (...args: string[]): Promise<string> =>
  run('npm', args, { maxBuffer: 1 << 26 }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout?: string }) => stdout ?? '',
  );

/** Whether a licence, or one of those to choose from, is allowed. */
const isAllowed = (license: string): boolean =>
  license
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((each) => allowed.has(each));

const checkLicenses = async (): Promise<string> => {
  const installed = JSON.parse(await npm('query', '.prod')) as Installed[];
  for (const { name, version, license = 'none' } of installed)
    if (!isAllowed(license)) problems.push(`${name}@${version} has the licence ${license}.`);
  if (installed.length === 0) problems.push('npm query has found no package.');
  return `${installed.length} licences`;
};

const checkVulnerabilities = async (): Promise<string> => {
  const { message, vulnerabilities } = JSON.parse((await npm('audit', '--omit=dev', '--json')) || '{}') as Audit;
  if (!vulnerabilities) return `vulnerabilities skipped (${message ?? 'npm audit printed nothing'})`;
  for (const [name, { severity }] of Object.entries(vulnerabilities))
    if (severity === 'high' || severity === 'critical') problems.push(`${name} has a ${severity} vulnerability.`);
  return `${Object.keys(vulnerabilities).length} vulnerabilities`;
};

/** Returns the time of the newest release of a package, or null when the registry does not respond. */
const releasedAt = async (registry: string, name: string): Promise<number | null> => {
  try {
    const response = await fetch(new URL(name, registry), { signal: AbortSignal.timeout(20_000) });
    const { time, 'dist-tags': tags } = (await response.json()) as Packument;
    return Date.parse(time[tags.latest]!);
  } catch {
    return null;
  }
};

const checkAges = async (): Promise<string> => {
  const registry = (await npm('config', 'get', 'registry')).trim();
  const names = Object.keys({ ...manifest.dependencies, ...service.dependencies });
  const times = await Promise.all(names.map(async (name) => [name, await releasedAt(registry, name)] as const));
  const known = times.filter(([, time]) => time !== null);
  for (const [name, time] of known) {
    const years = (Date.now() - time!) / millisecondsOfYear;
    if (years > maxYears) problems.push(`${name} was released last ${years.toFixed(1)} years ago.`);
  }
  const skipped = names.length - known.length;
  return skipped === 0
    ? `${known.length} ages`
    : `${known.length} ages (${skipped} skipped: no response of ${registry})`;
};

interface Dependencies {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/**
 * Lock files with which an installation fails later, or on another system. A dependency on a tag, as `latest`, is another version after
 * each release: `npm ci` then rejects a lock file that nobody has changed. And npm may leave out the binaries of the other systems.
 */
const checkLockFiles = async (): Promise<string> => {
  const { stdout } = await run('git', ['ls-files', '--', 'package-lock.json', '*/package-lock.json']);
  const paths = stdout.trim().split('\n');
  for (const path of paths) {
    const { packages } = JSON.parse(await readFile(path, 'utf8')) as { packages: Record<string, Dependencies> };
    const { overrides = {} } = JSON.parse(await readFile(join(path, '../package.json'), 'utf8')) as Manifest;
    const locked = new Set(Object.keys(packages).map((folder) => folder.split('node_modules/').at(-1)));
    for (const { dependencies = {}, optionalDependencies = {} } of Object.values(packages)) {
      for (const [name, version] of Object.entries(dependencies))
        if (/^[a-z]+$/i.test(version) && !(name in overrides))
          problems.push(
            `${path}: a package takes ${name}@${version}. Add a version to the overrides of the package.json.`,
          );
      const missing = Object.keys(optionalDependencies).filter((name) => !locked.has(name));
      if (missing.length > 0)
        problems.push(
          `${path} lacks ${missing.join(', ')}. Run npm install --package-lock-only in a folder without node_modules.`,
        );
    }
  }
  return `${paths.length} lock files`;
};

const checked = await Promise.all([checkLicenses(), checkVulnerabilities(), checkAges(), checkLockFiles()]);
console.log(`dependencies: ${checked.join(', ')}, ${problems.length} problems`);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
