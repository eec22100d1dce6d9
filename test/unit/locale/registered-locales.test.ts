/** The languages for `registerLocale`, and what the widget does with them. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { strings as englishStrings } from '../../../src/locale/en.ts';
import { countedText, type PluralForms } from '../../../src/locale/counted-text.ts';
import type { LocaleDefinition } from '../../../src/locale/locale-definition.ts';
import fr from '../../../src/locale/added/fr.ts';
import { formatTag } from '../../../src/locale/format-tag.ts';
import { formatWait } from '../../../src/locale/format.ts';
import { localeName } from '../../../src/locale/locale-name.ts';
import { missingStrings } from '../../../src/products/doctor/languages.ts';
import { addedLocales } from '../../support/added-locales.ts';
import { isTable, overrideStrings, type StringOverrides } from '../../../src/locale/strings.ts';

const textsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value === 'function') return [String((value as (...texts: string[]) => unknown)('١٢', '٣'))];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
};

const pluralRule = (tag: string) => (count: number) => new Intl.PluralRules(tag).select(count);

const definitions = Object.entries(addedLocales);

/** The numbers whose forms are compared. A form for one of them only may write it as a word. */
const numbers = [...Array.from({ length: 1001 }, (_, number) => number), 1_000_000, 2_000_000];

type Text = string | PluralForms | ((...texts: string[]) => string);

/** Returns all texts of a language by their keys, those of tables as `table.key`. */
const flatTexts = (strings: object): [string, Text][] =>
  Object.entries(strings).flatMap(([key, value]): [string, Text][] =>
    isTable(value) ? flatTexts(value).map(([name, text]) => [`${key}.${name}`, text]) : [[key, value as Text]],
  );

const english = flatTexts(englishStrings);
const arguments_ = ['\uE001', '\uE002', ''];

/** Returns which arguments a text contains. */
const placeholders = (text: Text): string =>
  typeof text === 'function' ? arguments_.filter((mark) => mark && text(...arguments_).includes(mark)).join('') : '';

describe('A language for registerLocale', () => {
  it('has a name by which the files for a script tag find it', () => {
    const files = readdirSync('src/locale/added').map((file) => file.replace('.ts', ''));
    assert.deepEqual(Object.keys(addedLocales).sort(), files.sort());
    assert.deepEqual(
      files.map((name) => localeName(name)),
      files,
    );
  });

  for (const [name, definition] of definitions) {
    const own = new Map(flatTexts(definition.strings));

    it(`has every text (${name})`, () => {
      assert.deepEqual(missingStrings(definition, englishStrings), []);
      assert.deepEqual([...own.keys()].sort(), english.map(([key]) => key).sort());
      for (const [key, text] of english)
        if (text === '') assert.equal(own.get(key), '', key);
        else if (typeof text === 'string') assert.match(own.get(key) as string, /\S/, key);
    });

    it(`has the placeholders of the English texts (${name})`, () => {
      for (const [key, text] of english) {
        if (typeof text !== 'function' || key === 'tooLong') continue;
        assert.equal(placeholders(own.get(key)!), placeholders(text), key);
      }
    });

    it(`has a form for each plural category of CLDR, with the number (${name})`, () => {
      const rules = new Intl.PluralRules(name);
      const counted = [...own].filter(([, text]) => typeof text === 'object' && 'other' in text);
      assert.equal(counted.length, 7);
      for (const [key, text] of counted) {
        const forms = text as PluralForms;
        assert.deepEqual(Object.keys(forms).sort(), rules.resolvedOptions().pluralCategories.toSorted(), key);
        for (const [category, form] of Object.entries(forms)) {
          const uses = numbers.filter((number) => rules.select(number) === category).length;
          if (uses !== 1) assert.match(form, /#/, `${key} ${category}`);
          assert.ok(form.split('#').length <= 2, `${key} ${category}`);
        }
      }
    });

    it(`has the direction of its script (${name})`, () => {
      const isRightToLeft = /^(?:Arab|Hebr)$/.test(new Intl.Locale(name).maximize().script!);
      assert.equal(definition.direction, isRightToLeft ? 'rtl' : 'ltr');
    });

    it(`has the closing marks of the English texts (${name})`, () => {
      const mark = (text: string) => /[.…]$/.exec(text.replace(/[。।۔]$/, '.'))?.[0];
      for (const [key, text] of english) {
        if (typeof text !== 'string' || key === 'greeting') continue;
        assert.equal(mark(own.get(key) as string), mark(text), key);
      }
    });

    it(`formats times, waits and days in the language, and not in that of the system (${name})`, () => {
      const tag = formatTag(name, []);
      assert.equal(Intl.DateTimeFormat.supportedLocalesOf(tag).length, 1);
      assert.equal(new Intl.DateTimeFormat(tag).resolvedOptions().locale.split('-')[0], name.split('-')[0]);
      assert.match(formatWait(5, tag), /[\d۰-۹]/);
    });
  }

  it('contains no Latin words in a language that is written from right to left, but for isolated examples', () => {
    for (const [name, { direction, strings }] of definitions) {
      if (direction === 'ltr') continue;
      const rest = textsOf(strings).map((text) => text.replaceAll(/\u2068[^\u2069]*\u2069/g, ''));
      assert.deepEqual(
        rest.filter((text) => /[a-z]/i.test(text)),
        [],
        name,
      );
    }
  });

  it('isolates titles and names in a language that is written from right to left', () => {
    for (const [name, { direction, strings }] of definitions) {
      if (direction === 'ltr') continue;
      const { tools, toolQuestion, code, twoTimes } = strings;
      const texts = [...Object.values(tools), toolQuestion, code.code, twoTimes].map((text) => text('X'));
      for (const text of texts) assert.ok(text.includes('\u2068X\u2069'), `${name}: ${text}`);
    }
  });

  it('is examined for the texts that it lacks, also in tables', () => {
    const { heading: _heading, problems, ...rest } = fr.strings;
    const { timeout: _timeout, ...some } = problems;
    const incomplete = { direction: 'ltr', strings: { ...rest, problems: some } } as unknown as LocaleDefinition;
    assert.deepEqual(missingStrings(incomplete, englishStrings), ['heading', 'problems.timeout']);
  });
});

describe('A text of a page that has another form than the widget’s', () => {
  const overridden = (strings: object) => overrideStrings(fr.strings, strings as StringOverrides);

  it('is shown as it is in place of a function or of the forms of a number, also in a table', () => {
    const { updated, waiting, tooLong } = overridden({
      updated: 'Changed',
      waiting: { rate_limited: 'Wait' },
      tooLong: 'Too long',
    });
    assert.equal(updated('today'), 'Changed');
    assert.equal(waiting.rate_limited('3 s'), 'Wait');
    assert.equal(waiting.offline, fr.strings.waiting.offline);
    assert.equal(countedText(tooLong, pluralRule('fr'), 3, 'fr'), 'Too long');
  });

  it('is ignored in place of a list, and a list in place of a text, as is null', () => {
    const { starters, heading, updated } = overridden({ starters: 'Hello', heading: ['Help'], updated: null });
    assert.deepEqual([starters, heading, updated], [fr.strings.starters, fr.strings.heading, fr.strings.updated]);
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
    assert.equal(countedText(forms, pluralRule('en'), 1, 'en'), '1 message');
    assert.equal(countedText(forms, pluralRule('en'), 3, 'en'), '3 messages');
    assert.equal(countedText({ other: '# nouveaux' }, pluralRule('fr'), 1, 'fr'), '1 nouveaux');
  });

  it('is the number alone where a page has set a text without forms', () => {
    for (const wrong of ['New', {}, 5]) {
      const text = wrong as unknown as PluralForms;
      assert.equal(countedText(text, pluralRule('en'), 3, 'en'), '3');
    }
  });

  it('shows the number in the digits of the language', () => {
    assert.equal(countedText(forms, pluralRule('en'), 1200, 'en'), '1,200 messages');
    assert.equal(countedText(forms, pluralRule('fa'), 12, 'fa'), '۱۲ messages');
  });

  it('may be a function of the number', () => {
    assert.equal(
      countedText((count) => `${count + 1}`, pluralRule('en'), 3, 'en'),
      '4',
    );
    assert.equal(
      countedText<string>((shown, count) => `${shown} ${count}`, pluralRule('en'), 1200, 'en', '1,200'),
      '1,200 1200',
    );
  });
});
