/** The languages for `registerLocale`, and what the widget does with them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { strings as english } from '../../../src/locale/en.ts';
import { countedText, type PluralForms } from '../../../src/locale/counted-text.ts';
import type { LocaleDefinition } from '../../../src/locale/locale-definition.ts';
import fa from '../../../src/locale/added/fa.ts';
import fr from '../../../src/locale/added/fr.ts';
import { missingStrings } from '../../../src/locale/missing-strings.ts';
import { overrideStrings, type StringOverrides } from '../../../src/locale/strings.ts';

const textsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value === 'function') return [String((value as (...texts: string[]) => unknown)('١٢', '٣'))];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
};

const pluralRule = (tag: string) => (count: number) => new Intl.PluralRules(tag).select(count);

describe('A language for registerLocale', () => {
  for (const [name, definition] of Object.entries({ fa, fr })) {
    it(`has every text (${name})`, () => {
      assert.deepEqual(missingStrings(definition, english), []);
    });

    it(`has the closing marks of the English texts (${name})`, () => {
      const own: Record<string, unknown> = { ...definition.strings };
      for (const [key, text] of Object.entries({ ...english, greeting: '' })) {
        if (typeof text !== 'string') continue;
        assert.equal(/[.…]$/.exec(own[key] as string)?.[0], /[.…]$/.exec(text)?.[0], `${key}: ${String(own[key])}`);
      }
    });
  }

  it('contains no Latin words in Persian but isolated examples', () => {
    const rest = textsOf(fa.strings).map((text) => text.replaceAll(/\u2068[^\u2069]*\u2069/g, ''));
    assert.deepEqual(
      rest.filter((text) => /[a-z]/i.test(text)),
      [],
    );
  });

  it('is examined for the texts that it lacks, also in tables', () => {
    const { heading: _heading, problems, ...rest } = fr.strings;
    const { timeout: _timeout, ...some } = problems;
    const incomplete = { direction: 'ltr', strings: { ...rest, problems: some } } as unknown as LocaleDefinition;
    assert.deepEqual(missingStrings(incomplete, english), ['heading', 'problems.timeout']);
  });
});

describe('A text with a number', () => {
  it('is overridden as a whole, by forms or by a function', () => {
    const shorter = { other: '# de trop' };
    const count = (shown: string) => `${shown} !`;
    assert.deepEqual(overrideStrings({ tooLong: { one: '#', other: '#s' } }, { tooLong: shorter }).tooLong, shorter);
    assert.equal(overrideStrings<StringOverrides>(fr.strings, { tooLong: count }).tooLong, count);
    assert.equal(overrideStrings<StringOverrides>(fr.strings, { unread: shorter }).unread, shorter);
  });

  const forms: PluralForms = { one: '# message', other: '# messages' };

  it('has the form of its number, or else the general one', () => {
    assert.equal(countedText(forms, pluralRule('en'), 1), '1 message');
    assert.equal(countedText(forms, pluralRule('en'), 3), '3 messages');
    assert.equal(countedText({ other: '# nouveaux' }, pluralRule('fr'), 1), '1 nouveaux');
  });

  it('shows the number as it is formatted', () => {
    assert.equal(countedText<string>(forms, pluralRule('en'), 1200, '1,200'), '1,200 messages');
  });

  it('may be a function of the number', () => {
    assert.equal(
      countedText((count) => `${count + 1}`, pluralRule('en'), 3),
      '4',
    );
    assert.equal(
      countedText<string>((shown, count) => `${shown} ${count}`, pluralRule('en'), 1200, '1,200'),
      '1,200 1200',
    );
  });
});
