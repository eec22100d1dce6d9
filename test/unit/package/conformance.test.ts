import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { attentionTable } from '../../../src/elements/attention-table.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (file: string): string => readFileSync(`${root}/${file}`, 'utf8');
const report = read('docs/openacr.yaml');
const page = read('docs/accessibility.md');

/** The tests that a text names, as “file › title”. */
const namedTests = (text: string): [file: string, title: string][] =>
  [...text.matchAll(/(test\/[\w/.-]+\.test\.ts) › ([^'`|\n]+?)['`]?$/gm)].map(([, file, title]) => [file!, title!]);

/** The entries of the report, without a parser of YAML: each begins with its number. */
const entries = report.split('      - num: ').slice(1);

describe('The conformance report', () => {
  it('has each criterion of WCAG 2.2 A and AA once', () => {
    const numbers = entries
      .map((entry) => /^'([^']+)'/.exec(entry)![1]!)
      .filter((number) => /^[1-4]\.\d+\.\d+$/.test(number));
    assert.equal(new Set(numbers).size, numbers.length);
    // 31 of level A and 24 of level AA.
    assert.equal(numbers.length, 55);
  });

  it('has a test for each row that it supports, or says what is missing', () => {
    for (const entry of entries) {
      const level = /level: ([\w-]+)/.exec(entry)?.[1];
      const name = entry.slice(0, entry.indexOf('\n'));
      if (level === 'supports') assert(namedTests(entry).length > 0, `${name} has no test`);
      else assert.doesNotMatch(entry, /notes: 'See the tests\.'/, `${name} needs an explanation`);
    }
  });

  it('names only tests that exist, as the page of the docs does', () => {
    const named = [...namedTests(report), ...namedTests(page.replaceAll(/` \|$/gm, '`'))];
    assert(named.length > 50, `${named.length} tests were found`);
    for (const [file, title] of named) {
      assert(existsSync(`${root}/${file}`), file);
      assert(read(file).includes(title), `${file} has no test “${title}”`);
    }
  });

  it('has the same levels as the table of the docs', () => {
    const names: Record<string, string> = {
      supports: 'supports',
      'partially-supports': 'partially supports',
      'not-applicable': 'does not apply',
    };
    const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
    for (const entry of entries) {
      const [, number, handle, level] = /^'([^']+)'\s+handle: '((?:[^']|'')+)'[\s\S]*?level: ([\w-]+)/.exec(entry)!;
      const row = rows.find(([, name]) => name === `${number} ${handle!.replaceAll("''", "'")}`);
      assert.equal(row?.[3], names[level!], number);
    }
  });
});

it('The script for screen readers has 41 steps, which cover each row of the attention table', () => {
  const script = page.slice(page.indexOf('## Script for screen readers'));
  const steps = [...script.matchAll(/^\| +(\d+) +\|.*\| *(?:`([\w-]+)`)? *\|$/gm)];
  assert.deepEqual(
    steps.map(([, number]) => Number(number)),
    Array.from({ length: 41 }, (_, index) => index + 1),
  );
  const covered = new Set(steps.map(([, , row]) => row).filter(Boolean));
  assert.deepEqual(covered, new Set(Object.keys(attentionTable)));
});
