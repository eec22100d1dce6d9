import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSelected } from '../support/selection.ts';

const files = ['test/unit/chat/tabs-model.test.ts', 'test/browser/blocks/form.test.ts', 'test/e2e/webview.test.ts'];

describe('A name after “npm test --”', () => {
  for (const [path, selected] of [
    ['test/browser/blocks/form.test.ts', [1]],
    ['./test/browser/blocks/form.test.ts', [1]],
    ['/repository/test/browser/blocks/form.test.ts', [1]],
    ['blocks', [1]],
    ['test/unit/', [0]],
    ['tabs-model', [0]],
    ['.test.ts', [0, 1, 2]],
    ['missing', []],
  ] as const) {
    it(`selects the files whose path contains ${path}`, () => {
      const found = files.filter((file) => isSelected(file, [path], '/repository/'));
      assert.deepEqual(
        found,
        selected.map((index) => files[index]),
      );
    });
  }
});
