import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { excerpt } from '../../service/replies/excerpt.ts';

const weights = new Map([['refund', 3]]);
const options = { language: 'en', limit: 1000 } as const;

describe('an excerpt', () => {
  it('is the whole of a short passage', () => {
    assert.equal(excerpt('One line.\n\n- two', weights, options), 'One line.\n\n- two');
  });

  it('of a list without blank lines is bounded and contains the matching line', () => {
    const lines = Array.from({ length: 4000 }, (_, at) => `- Line ${at} about something else`);
    lines[3210] = '- A refund takes five days';
    const text = excerpt(lines.join('\n'), weights, options);
    assert.ok(text.length <= options.limit, `${text.length} characters`);
    assert.match(text, /A refund takes five days/);
  });

  it('of a long text has the matching sentences, in order', () => {
    const text = `${'Nothing here. '.repeat(40)}A refund is free. ${'Nothing here. '.repeat(40)}Refunds take a week.`;
    assert.equal(excerpt(text, weights, options), 'Nothing here. A refund is free. Refunds take a week.');
  });

  it('of one endless line is cut between words', () => {
    const text = excerpt('word '.repeat(1000), weights, options);
    assert.ok(text.length <= options.limit);
    assert.match(text, / word…$/);
  });
});
