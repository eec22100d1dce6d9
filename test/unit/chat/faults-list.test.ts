import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { faultGroups } from '../../faults/index.ts';
import { faultsFile, listFaults } from '../../faults/list.ts';

it('docs/faults.md lists exactly the faults of the tests', () => {
  const names = faultGroups.flatMap(({ title, faults }) => faults.map(({ name }) => `${title}: ${name}`));
  assert.equal(new Set(names).size, names.length, 'each fault has a name of its own');
  assert.equal(readFileSync(faultsFile, 'utf8'), listFaults(), 'run `npx tsx test/faults/list.ts`');
});
