/** Scans every sentence of the widget, in both languages. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fa from '../../../src/locale/added/fa.ts';
import fr from '../../../src/locale/added/fr.ts';
import { strings as arabic } from '../../../src/locale/ar.ts';
import { strings as english } from '../../../src/locale/en.ts';
import { latinWords } from '../../../src/locale/latin-words.ts';
import { problemText } from '../../../src/locale/problem-text.ts';

const all = { en: [english], ar: [arabic] };

/** Stands for a name or a formatted number that a sentence contains. */
const placeholder = '١٢';

/** The texts of a table, with those that functions return for a few counts. */
const textsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value === 'function') {
    const sentence = value as (...args: unknown[]) => unknown;
    return [0, 1, 2, 3, 11, 100].flatMap((count) =>
      [sentence(placeholder, count), sentence(String(count), placeholder)].map(String),
    );
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
};

/** What only a program reads: an ISO date, snake_case, the id of a resource. */
const machineText = /\d{4}-\d{2}|[a-z]_[a-z]|\b[a-z]{3}_[a-z0-9]/i;

/** Claims about a message's delivery, which only the titles “Not sent” and “Not confirmed” state. */
const deliveryClaims = {
  en: /\b(?:was not sent|not confirmed|delivered|arrived)\b/i,
  ar: /لم تُرسل|لم تصل|وصول|وصلت/,
  fa: /فرستاده نشد|ارسال نشد|رسیدن پیام/,
  fr: /pas été envoyé|est arrivé|non envoyé/i,
};

describe('The sentences of the widget', () => {
  for (const [language, { problems }] of Object.entries({ en: english, ar: arabic, fa: fa.strings, fr: fr.strings }))
    it(`give reasons that cannot contradict the title above them (${language})`, () => {
      const claim = deliveryClaims[language as keyof typeof deliveryClaims];
      const wrong = Object.values(problems as Record<string, string>).filter((text) => claim.test(text));
      assert.deepEqual(wrong, []);
    });

  for (const language of ['en', 'ar'] as const)
    it(`contain no machine text (${language})`, () => {
      const texts = textsOf(all[language]);
      assert(texts.length > 80, `only ${texts.length} sentences were found`);
      assert.deepEqual(
        texts.filter((text) => machineText.test(text) || /undefined|\[object/.test(text)),
        [],
      );
    });

  it('contain no Latin words in Arabic outside the list of exceptions, which are isolated', () => {
    const used = new Set<string>();
    const wrong = textsOf(all.ar).filter((text) => {
      const rest = text.replaceAll(/[\u2066\u2068]([^\u2069]*)\u2069/g, (whole, inner: string) => {
        if (!latinWords.includes(inner)) return whole;
        used.add(inner);
        return '';
      });
      return /[a-z]/i.test(rest);
    });
    assert.deepEqual(wrong, []);
    assert.deepEqual([...used].sort(), [...latinWords].sort(), 'each exception is in use');
  });

  it('end with a period in Arabic where they do in English', () => {
    const paths = (table: object, prefix = ''): [path: string, text: string][] =>
      Object.entries(table).flatMap(([key, value]: [string, unknown]) => {
        const path = `${prefix}${key}`;
        if (typeof value === 'object' && value !== null) return paths(value, `${path}.`);
        return [[path, textsOf(value)[0] ?? '']] as [string, string][];
      });
    for (const [index, table] of all.en.entries()) {
      if (typeof table === 'string') continue;
      const other = new Map(paths(all.ar[index] as object));
      for (const [path, text] of paths(table)) {
        const mark = /[.…?]$/.exec(text)?.[0].replace('?', '؟') ?? '';
        assert.equal(/[.…؟]$/.exec(other.get(path) ?? '')?.[0] ?? '', mark, `${path}: ${text} / ${other.get(path)}`);
      }
    }
  });

  it('are found by the code of a problem, or by its status, or are those of the service', () => {
    const { problems } = english;
    for (const [status, code, sentence] of [
      [401, 'unauthorized', problems.not_authorised],
      [402, 'plan_required', problems.not_authorised],
      [403, 'insufficient_scope', problems.not_authorised],
      [404, 'not_found', problems.not_found],
      [409, 'agent_unavailable', problems.agent_unavailable],
      [422, 'validation_error', problems.message_refused],
      [503, 'identity_unavailable', problems.unavailable],
      [418, 'a_code_of_the_future', 'Said by the service'],
      [418, 'constructor', 'Said by the service'],
    ] as const)
      assert.equal(
        problemText({ code, status, requestId: '', detail: 'Said by the service' }, { strings: english }),
        sentence,
      );
  });
});
