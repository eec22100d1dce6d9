import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { MarkdownReader } from '../../../src/markdown/reader.ts';

const ranks = (reader: MarkdownReader): number[] =>
  reader.blocks.document.children.flatMap((block) => (block.type === 'heading' ? [block.rank] : []));

const read = (text: string, step: number): number[] => {
  const reader = new MarkdownReader();
  for (let end = step; end < text.length; end += step) reader.read(text.slice(0, end), false);
  reader.read(text, true);
  return ranks(reader);
};

const toText = (levels: readonly number[]): string => levels.map((level) => `${'#'.repeat(level)} Title\n`).join('\n');

describe('The outline of a message', () => {
  it('begins with rank 1, whatever the level of the first heading is', () => {
    assert.deepEqual(read(toText([3, 3, 4, 3]), 100), [1, 1, 2, 1]);
    assert.deepEqual(read('Title\n-----\n\n### Deeper', 100), [1, 2]);
  });

  it('skips no rank, and returns to rank 1 for a heading above the first one', () => {
    assert.deepEqual(read(toText([2, 6, 6, 1]), 100), [1, 2, 3, 1]);
  });

  it('skips no rank for any headings, in whatever pieces they arrive', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1 }),
        fc.integer({ min: 1, max: 9 }),
        (levels, step) => {
          const whole = read(toText(levels), 10_000);
          assert.equal(whole.length, levels.length);
          for (const [index, rank] of whole.entries()) assert(rank >= 1 && rank <= (whole[index - 1] ?? 0) + 1);
          assert.deepEqual(read(toText(levels), step), whole);
        },
      ),
    );
  });
});
