import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { plainText, writtenText } from '../../../src/markdown/plain-text.ts';

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

describe('the text for the clipboard and for files', () => {
  for (const [markdown, text] of [
    ['See [our menu](https://shop.example/menu).', 'See our menu (https://shop.example/menu).'],
    ['[https://a.example](https://a.example) https://b.example/x', 'https://a.example https://b.example/x'],
    ['[write](mailto:a@b.example) or a@b.example', 'write (mailto:a@b.example) or a@b.example'],
    ['[Menu](https://shop.example/our menu.pdf)', 'Menu (https://shop.example/our%20menu.pdf)'],
    ['[القائمة](https://shop.example/قائمة)', 'القائمة (https://shop.example/قائمة)'],
    ['![photo](https://a.example/i.png) [x](javascript:alert(1))', 'photo (https://a.example/i.png) x'],
    ['[a] and [b][a]\n\n[a]: https://a.example', 'a (https://a.example) and b (https://a.example)'],
    ['- one\n- two\n  - nested\n\nafter', '- one\n- two\n  - nested\n\nafter'],
    ['3) three\n4) four\n   more', '3) three\n4) four\n   more'],
    ['١. واحد\n٢. اثنان', '1. واحد\n2. اثنان'],
    ['- [x] done\n- [ ] open', '- [x] done\n- [ ] open'],
    ['- loose\n\n- items', '- loose\n\n- items'],
    ['# Title\n\nOne\ntwo\n\nThree', 'Title\n\nOne\ntwo\n\nThree'],
    ['> quoted\n> **text**\n\n---\n\nend', '> quoted\n> text\n\n---\n\nend'],
    ['| a | b |\n|---|---|\n| 1 | [2](https://a.example) |', 'a | b\n1 | 2 (https://a.example)'],
    ['```js\na *b*\n\n  c\n```', 'a *b*\n\n  c'],
    ['<think>secret</think>one<br>two &deg;', 'one\ntwo °'],
  ] as const)
    it(`is right for ${JSON.stringify(markdown)}`, () => {
      assert.equal(writtenText(markdown), text);
    });
});
