/**
 * `npm run check`: the licences, the known vulnerabilities and the age of the packages that run on a site or in the service, as npm
 * itself knows them. What needs a registry that does not respond is skipped, and said to be.
 */
import { execFile } from 'node:child_process';
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

const checked = await Promise.all([checkLicenses(), checkVulnerabilities(), checkAges()]);
console.log(`dependencies: ${checked.join(', ')}, ${problems.length} problems`);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
