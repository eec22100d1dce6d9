import assert from 'node:assert/strict';
import { it } from 'node:test';
import { plainText } from '../../../src/markdown/plain-text.ts';

it('removes Markdown syntax and keeps its text', () => {
  assert.equal(
    plainText(
      '# Title\n\nSome **bold** [link](https://a.example) and `code`\\\nnext ![picture](https://a.example/i.png).\n\n---\n\n> quoted\n',
    ),
    'Title\nSome bold link and code\nnext picture.\nquoted',
  );
});

it('keeps the numbers of lists and removes the boxes of tasks', () => {
  assert.equal(
    plainText('3. three\n4. four\n   - nested\n\n- [x] done\n- [ ] open'),
    '3. three\n4. four\nnested\ndone\nopen',
  );
});

it('reads tables row by row and code as it is', () => {
  assert.equal(plainText('| a | b |\n|---|---|\n| 1 | **2** | x |\n\n```js\na *b*\n\n```'), 'a, b\n1, 2\na *b*');
  assert.equal(plainText('| اليوم | الوقت |\n|---|---|\n| الأحد | 9:00 |'), 'اليوم، الوقت\nالأحد، 9:00');
});

it('resolves references wherever they are defined', () => {
  assert.equal(plainText('[a] and [b][a]\n\n[a]: https://a.example'), 'a and b');
});

it('returns an empty string for an empty text', () => {
  assert.equal(plainText(''), '');
  assert.equal(plainText('\n\n'), '');
});
