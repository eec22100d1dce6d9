import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatTag } from '../../../src/locale/format-tag.ts';

describe('The tag for times and numbers', () => {
  const cases: [tag: string, languages: string[], expected: string][] = [
    ['en', [], 'en'],
    ['en', ['de-DE', 'en-GB', 'en-US'], 'en-GB'],
    ['en-US', ['en-GB'], 'en-US'],
    ['en', ['eng-GB', 'ar'], 'en'],
    ['fr', ['fr-CA'], 'fr-CA'],
    ['ar', [], 'ar-u-ca-gregory-nu-latn'],
    ['ar', ['en-US', 'ar-OM'], 'ar-OM-u-ca-gregory-nu-latn'],
    ['ar-OM', ['ar-EG'], 'ar-OM-u-ca-gregory-nu-latn'],
    ['ar-OM-u-nu-arab', [], 'ar-OM-u-ca-gregory-nu-arab'],
    ['ar-SA-u-ca-islamic-umalqura', [], 'ar-SA-u-ca-islamic-umalqura-nu-latn'],
    ['ar-SA-u-ca-gregory', [], 'ar-SA-u-ca-gregory-nu-latn'],
    ['fa', [], 'fa'],
  ];
  for (const [tag, languages, expected] of cases) {
    it(`of ${tag} with the browser's languages ${languages.join(', ') || '(none)'} is ${expected}`, () => {
      assert.equal(formatTag(tag, languages), expected);
    });
  }

  it('writes a time with Latin digits in Arabic, and with those that the page names', () => {
    const time = (tag: string) =>
      new Intl.DateTimeFormat(formatTag(tag, []), { timeStyle: 'short', timeZone: 'UTC' }).format(0);
    assert.match(time('ar-OM'), /12:00/);
    assert.match(time('ar-OM-u-nu-arab'), /١٢:٠٠/);
  });
});
