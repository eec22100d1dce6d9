/** Packages that are not installed with the widget: those of the comparisons, and those of slow tests. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

type PackageFolder = 'bench' | 'frameworks';

/** Returns the folder of the packages of `test/<folder>/package.json`. */
export const packagesOf = (folder: PackageFolder): string =>
  fileURLToPath(new URL(`../${folder}/node_modules`, import.meta.url));

/** Installs them from the lock file, unless that was done before. */
export const installPackages = (folder: PackageFolder): void => {
  const packages = packagesOf(folder);
  if (existsSync(join(packages, '.package-lock.json'))) return;
  console.log(`Installing the packages of test/${folder}…`);
  const options = ['--silent', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', ['ci', ...options], { cwd: join(packages, '..'), stdio: 'inherit' });
};
