/** The files of further languages, by the tags that pages have. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { localeName } from '../../../src/locale/locale-name.ts';

it('finds the file of a language, also for its regions, its script and its former code', () => {
  const expected = {
    'es-MX': 'es',
    pt: 'pt-BR',
    'pt-PT': 'pt-BR',
    'pt-BR': 'pt-BR',
    'de-CH': 'de',
    'ur-PK': 'ur',
    zh: 'zh-Hans',
    'zh-CN': 'zh-Hans',
    'zh-SG': 'zh-Hans',
    'zh-Hans-HK': 'zh-Hans',
  };
  for (const [tag, name] of Object.entries(expected)) assert.equal(localeName(tag), name, tag);
  assert.equal(localeName(Intl.getCanonicalLocales('iw')[0]!), 'he');
  assert.equal(localeName(Intl.getCanonicalLocales('in-ID')[0]!), 'id');
});

it('finds no file for English, Arabic, the other script of Chinese and an unknown language', () => {
  for (const tag of ['en', 'en-GB', 'ar', 'ar-EG', 'zh-TW', 'zh-HK', 'zh-Hant', 'nb', 'sv', 'und'])
    assert.equal(localeName(tag), null, tag);
});
