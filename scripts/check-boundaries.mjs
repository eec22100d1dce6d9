/**
 * `npm run check`: checks every import, type imports included, against the table in boundaries.mjs, and finds cycles.
 * It is JavaScript because dependency-cruiser does not run under tsx.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise } from 'dependency-cruiser';
import { boundaries, roots } from './boundaries.mjs';

const escape = (path) => path.replaceAll(/[.+*?^$()[\]{}|\\]/g, String.raw`\$&`);
/** Matches the paths and everything below them. */
const below = (paths) => `^(${paths.map(escape).join('|')})(/|$)`;

/** Turns one row of the table into rules of dependency-cruiser. */
const toRules = ([folder, { imports, packages }]) => {
  const nested = Object.keys(boundaries).filter((other) => other.startsWith(`${folder}/`));
  const from = { path: below([folder]), ...(nested.length > 0 && { pathNot: below(nested) }) };
  const files = { from, to: { path: below([folder, ...imports]) } };
  // A package may be installed below the root that needs a version of its own.
  if (packages.includes('*'))
    return [files, { from, to: { pathNot: below(roots) } }, { from, to: { path: '/node_modules/' } }];
  if (packages.length === 0) return [files];
  const names = packages.map(escape).join('|');
  return [files, { from, to: { path: `^(node_modules/)?(${names})(/|$)` } }];
};

const ruleSet = {
  forbidden: [{ name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } }],
  allowed: Object.entries(boundaries).flatMap(toRules),
  allowedSeverity: 'error',
};

const countFiles = (path) => {
  if (!existsSync(path)) return 0;
  if (!statSync(path).isDirectory()) return 1;
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).map((file) => join(path, file));
  return files.filter((file) => file.endsWith('.ts') && !/\.d\.ts$|node_modules|frameworks/.test(file)).length;
};

/**
 * Checks the imports of all roots below a folder.
 * @returns One line for each import that is not allowed and for each cycle, and the number of modules.
 * @throws {Error} If fewer modules were read than the folders contain. Otherwise a failed scan would look like a success.
 */
const checkBoundaries = async (folder) => {
  const present = roots.filter((root) => existsSync(join(folder, root)));
  const { output } = await cruise(present, {
    baseDir: folder,
    ruleSet,
    validate: true,
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: String.raw`^demo/frameworks/` },
  });
  const { modules, summary } = output;
  const own = modules.filter(({ source }) => present.some((root) => source === root || source.startsWith(`${root}/`)));
  const expected = present.reduce((count, root) => count + countFiles(join(folder, root)), 0);
  if (own.length < expected) throw new Error(`Only ${own.length} of ${expected} modules were read.`);
  const violations = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
  return { violations, moduleCount: own.length };
};

const folder = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));
const { violations, moduleCount } = await checkBoundaries(folder);
for (const violation of violations) console.error(violation);
console.log(`boundaries: ${moduleCount} modules, ${violations.length} violations`);
if (violations.length > 0) process.exitCode = 1;
