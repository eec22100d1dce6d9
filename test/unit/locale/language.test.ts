import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatTag } from '../../../src/locale/format-tag.ts';
import { languageOf, normalizeTag, supportedTag } from '../../../src/locale/language.ts';

const tagFor = (written: string): string => {
  const tag = normalizeTag(written) ?? 'en';
  return formatTag(supportedTag(tag, languageOf(tag)), []);
};

describe('The tag of a language', () => {
  for (const [written, expected] of [
    ['ar_EG', 'ar-EG'],
    [' ar', 'ar'],
    ['ar\n', 'ar'],
    ['\u200bar-SA\ufeff', 'ar-SA'],
    ['"ar"', 'ar'],
    ['AR-eg', 'ar-EG'],
    ['ar_EG.UTF-8', 'ar-EG'],
    ['ar-EG@calendar=islamic', 'ar-EG'],
    ['ar-', 'ar'],
    ['ar-EG-EG', 'ar'],
    ['Arabic', 'ar'],
    ['العربية', 'ar'],
    ['عربي', 'ar'],
    ['ara', 'ar'],
    ['arb', 'ar'],
    ['en_GB', 'en-GB'],
    ['zh_Hans_CN', 'zh-Hans-CN'],
    ['fr-CA', 'fr-CA'],
    ['', undefined],
    [' ', undefined],
    ['C', undefined],
    ['٣', undefined],
    [null, undefined],
  ] as const)
    it(`is ${expected ?? 'missing'} for ${JSON.stringify(written)}`, () => {
      assert.equal(normalizeTag(written), expected);
    });
});

describe('The language of the widget', () => {
  const varieties =
    'ar ara arb arz apc apd ary arq aeb afb acm acw aao abh abv acq acx acy adf aec ajp ars auz avl ayh ayl ayn ayp pga shu ssh';
  for (const tag of [
    ...varieties.split(' '),
    'ar-OM',
    'arz-Arab-EG',
    'apc_LB',
    ' ARZ ',
    'Arabic (Egypt)',
    'اللغة العربية',
  ])
    it(`is Arabic for ${tag}, with times and months of Arabic`, () => {
      assert.equal(languageOf(tag), 'ar');
      const format = new Intl.DateTimeFormat(tagFor(tag), { dateStyle: 'long', timeStyle: 'short' });
      assert.match(format.resolvedOptions().locale, /^ar\b/);
      assert.doesNotMatch(format.format(0), /[a-z]/i);
    });

  for (const tag of ['en', 'en_US', 'English', 'enm', 'fa', 'ur', 'he', 'arn', 'arc', 'arm', 'de', '', undefined])
    it(`is English for ${String(tag)}, with times and months of English`, () => {
      assert.equal(languageOf(tag), 'en');
      assert.match(new Intl.DateTimeFormat(tagFor(tag ?? '')).resolvedOptions().locale, /^en\b/);
    });

  it('takes the months of a variety from its country', () => {
    const month = (tag: string) => new Intl.DateTimeFormat(tagFor(tag), { month: 'long', timeZone: 'UTC' }).format(0);
    assert.equal(month('arz'), month('ar-EG'));
    assert.equal(month('ary'), month('ar-MA'));
    assert.equal(month('apc'), month('ar-SY'));
    assert.notEqual(month('apc'), month('arz'));
  });
});
