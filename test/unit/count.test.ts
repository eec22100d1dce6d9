import assert from 'node:assert/strict';
import { it } from 'node:test';
import { add, describeCount, describeFailures, emptyCount, readFailures } from '../support/count.ts';

it('the names of failed tests are read back from the end of a run’s output', () => {
  const one = { passed: 2, failures: ['a.test.ts › a title\nof two lines'], skipped: 0 };
  const other = { passed: 1, failures: ['b.test.ts › b'], skipped: 3 };
  const total = add(add(emptyCount(), one), other);
  assert.equal(describeCount(total), '3 passed, 2 failed, 3 skipped');
  const output = `some output\n${describeFailures(total)}${describeCount(total)}\n`;
  assert.deepEqual(readFailures(output), ['a.test.ts › a title of two lines', 'b.test.ts › b']);
});

it('a run without failures names none', () => {
  assert.equal(describeFailures(emptyCount()), '');
});
