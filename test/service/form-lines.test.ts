import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formLines } from '../../service/replies/form-lines.ts';
import { limit } from '../support/time-limits.ts';

/** Returns the fields and values of a message, by the first label of each field. */
const read = (message: string, ...labels: (string | string[])[]) =>
  formLines(
    message,
    labels.map((each) => [each].flat()),
  ).map(({ field, value, label }) => [field === null ? label : [labels[field]].flat()[0], value]);

describe('the lines of a submitted form', () => {
  it('have the field whose label they start with, in any case, with any colon', () => {
    assert.deepEqual(read('name: A\nالاسم： ب', ['Name', 'الاسم']), [
      ['Name', 'A'],
      ['Name', 'ب'],
    ]);
  });

  for (const [labels, message, expected] of [
    [
      ['Name', 'Name: last'],
      'Name: A\nName: last: B',
      [
        ['Name', 'A'],
        ['Name: last', 'B'],
      ],
    ],
    [
      ['Name: last', 'Name'],
      'Name: last: B\nName: A',
      [
        ['Name: last', 'B'],
        ['Name', 'A'],
      ],
    ],
    [['Name', 'Name: last'], 'Name: last: B', [['Name: last', 'B']]],
    [
      ['Size', 'Size: depth', 'Size: depth: cm'],
      'Size: S\nSize: depth: 3\nSize: depth: cm: 4',
      [
        ['Size', 'S'],
        ['Size: depth', '3'],
        ['Size: depth: cm', '4'],
      ],
    ],
    [
      ['Name', 'Name 2'],
      'Name: A\nName 2: B',
      [
        ['Name', 'A'],
        ['Name 2', 'B'],
      ],
    ],
    [
      ['الاسم', 'الاسم: الأخير'],
      'الاسم: هدى\nالاسم: الأخير: العامري',
      [
        ['الاسم', 'هدى'],
        ['الاسم: الأخير', 'العامري'],
      ],
    ],
    [['Note', 'Note: more'], 'Note: more: and: colons', [['Note: more', 'and: colons']]],
    [
      ['Name', 'Phone'],
      'Phone: 1\nName: A',
      [
        ['Phone', '1'],
        ['Name', 'A'],
      ],
    ],
    [
      ['Name', 'Name'],
      'Name: A\nName: B',
      [
        ['Name', 'A'],
        ['Name', 'B'],
      ],
    ],
  ] as const)
    it(`are told apart by the order of the form, then by the longest label: ${JSON.stringify(message)}`, () => {
      assert.deepEqual(read(message, ...labels), expected);
    });

  it('have no field when no label fits', () => {
    assert.deepEqual(read('Old: x\nno colon\n', 'Name'), [
      ['Old', 'x'],
      ['', 'no colon'],
      ['', ''],
    ]);
  });

  it('are found in linear time', () => {
    const labels = Array.from({ length: 50 }, (_, index) => `Label ${index}`);
    const started = performance.now();
    read('Label 1: '.repeat(800), ...labels);
    read('Label 1: a\n'.repeat(700), ...labels);
    assert.ok(performance.now() - started < limit(2000));
  });
});
