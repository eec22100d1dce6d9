import assert from 'node:assert/strict';
import { it } from 'node:test';
import { unindexedForeignKeys } from './explained-queries.ts';
import { useTestService } from './support.ts';

const tested = useTestService();

it('has an index for each foreign key whose row can be deleted, so that a deletion scans no table', async () => {
  assert.deepEqual(await unindexedForeignKeys(tested.service.db), []);
});
