import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { it } from 'node:test';

/** Licenses with which a closed product may contain a package, or a service may use it. */
const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  '(AFL-2.1 OR BSD-3-Clause)',
]);

it('The packages that run in a page or in the service have a permissive license', () => {
  const query = execFileSync('npm', ['query', '.prod'], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  const packages = JSON.parse(query) as { name: string; license?: string }[];
  assert.ok(packages.length > 50);
  const others = packages.filter(({ license }) => !permissive.has(license ?? ''));
  assert.deepEqual(
    others.map(({ name, license }) => `${name}: ${license}`),
    [],
  );
});
