import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { splitIntoChunks } from '../../service/replies/chunks.ts';
import { freeTimes } from '../../service/replies/calendar.ts';
import { languageOf } from '../../service/core/language.ts';
import { requestsHandoff } from '../../service/replies/handoff.ts';
import { passages } from '../../service/knowledge/chunks.ts';
import { editDistance } from '../../service/knowledge/edit-distance.ts';
import { normalise, terms } from '../../service/knowledge/terms.ts';

describe('terms', () => {
  for (const [one, other] of [
    ['classes', 'class'],
    ['Opening', 'opens'],
    ['المواقف', 'مواقف'],
    ['وبالسيارات', 'سيارة'],
    ['تفتحون', 'نفتح'],
    ['إلغاء', 'الغاء'],
    ['للأطفال', 'أطفال'],
    ['ألوان', 'الألوان'],
    ['وصلني', 'وصلت'],
    ['مزهرية', 'المزهريات'],
  ]) {
    it(`${one} is found by ${other}`, () => assert.deepEqual(terms(one!), terms(other!)));
  }

  it('leave out what only carries the sentence', () => {
    assert.deepEqual(terms('What are your opening hours, please?'), ['open', 'hour']);
    assert.deepEqual(terms('لو سمحت، متى تفتحون اليوم؟'), ['فتح']);
  });

  it('are the same in European and Arabic digits, with and without marks', () => {
    assert.equal(normalise('الطَّلَبُ ١٠٤٢'), normalise('الطلب 1042'));
  });

  it('hold nothing but letters and digits', () => {
    for (const term of terms("it's a | b & !c :* 'd\\ (e) <-> f")) assert.match(term, /^[\p{L}\p{N}]+$/u);
  });
});

describe('a passage', () => {
  it('belongs to its nearest heading and knows those above', () => {
    assert.deepEqual(
      passages('# Shop\n\nHello.\n\n## Returns\nWithin 14 days.\n\n- unused\n- with receipt\n\n# Other'),
      [
        { title: 'Shop', within: [], body: 'Hello.' },
        { title: 'Returns', within: ['Shop'], body: 'Within 14 days.\n\n- unused\n- with receipt' },
      ],
    );
  });

  it('is cut between paragraphs when it gets long', () => {
    const paragraph = 'word '.repeat(80).trim();
    const found = passages(`# Long\n\n${paragraph}\n\n${paragraph}\n\n${paragraph}`);
    assert.equal(found.length, 3);
    assert.ok(found.every(({ title, body }) => title === 'Long' && body === paragraph));
  });
});

describe('splitIntoChunks', () => {
  it('put together again are the answer', () => {
    for (const text of ['', 'One', 'a b c d', '- **One**\n- Two\n\n  three ', 'نفتح من السبت\nإلى الأربعاء']) {
      assert.equal(splitIntoChunks(text).join(''), text);
    }
  });
});

describe('the language of a text', () => {
  for (const [text, language] of [
    ['Where is Bahla?', 'en'],
    ['أين طلبي PC-1042؟', 'ar'],
    ['كم سعر iPhone', 'ar'],
    ['12:30?', undefined],
  ] as const) {
    it(text, () => assert.equal(languageOf(text), language));
  }
});

describe('asking for a person', () => {
  for (const wish of [
    'I want to talk to a human',
    'Can I speak with someone from your team?',
    'human please',
    'Connect me to an agent who is a real person',
    'customer service',
    'أريد التحدث إلى شخص حقيقي',
    'حولني لموظف لو سمحت',
    'خدمة العملاء',
  ]) {
    it(`is: ${wish}`, () => assert.equal(requestsHandoff(wish), true));
  }
  for (const other of [
    'How much is it per person?',
    'Is the class for one person?',
    'Do you have staff discounts?',
    'I need a gift for a person who loves tea',
    'كم السعر للشخص؟',
    'كم عدد الموظفين لديكم؟',
  ]) {
    it(`is not: ${other}`, () => assert.equal(requestsHandoff(other), false));
  }
});

it('the edit distance counts a swap as one slip', () => {
  assert.equal(editDistance('parking', 'parkng'), 1);
  assert.equal(editDistance('kiln', 'klin'), 1);
  assert.equal(editDistance('', 'clay'), 4);
});

describe('the next times of a weekly class', () => {
  const calendar = {
    title: { en: '', ar: '' },
    minutes: 120,
    weekly: [
      ['sat', '18:00'],
      ['tue', '18:00'],
    ] as [string, string][],
  };

  it('are at the clock of the place', () => {
    // A Monday, ten in the morning in Muscat.
    const times = freeTimes(calendar, {
      timeZone: 'Asia/Muscat',
      now: Date.parse('2026-10-05T06:00:00Z'),
      taken: new Set(),
      count: 2,
    });
    assert.deepEqual(times, [
      { start: '2026-10-06T18:00:00+04:00', end: '2026-10-06T20:00:00+04:00' },
      { start: '2026-10-10T18:00:00+04:00', end: '2026-10-10T20:00:00+04:00' },
    ]);
  });

  it('leave out one too near to reach', () => {
    const [first] = freeTimes(calendar, {
      timeZone: 'Asia/Muscat',
      now: Date.parse('2026-10-06T13:00:00Z'),
      taken: new Set(),
      count: 1,
    });
    assert.equal(first!.start, '2026-10-10T18:00:00+04:00');
  });

  it('keep the hour when the clocks change', () => {
    const times = freeTimes(calendar, {
      timeZone: 'Europe/Berlin',
      now: Date.parse('2026-10-24T00:00:00Z'),
      taken: new Set(),
      count: 2,
    });
    assert.deepEqual(
      times.map(({ start }) => start),
      ['2026-10-24T18:00:00+02:00', '2026-10-27T18:00:00+01:00'],
    );
  });
});
