import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { splitIntoChunks } from '../../service/replies/chunks.ts';
import { freeTimes } from '../../service/replies/calendar.ts';
import { excerpt } from '../../service/replies/excerpt.ts';
import { languageOf } from '../../service/core/language.ts';
import { requestsHandoff } from '../../service/replies/handoff.ts';
import { passages } from '../../service/knowledge/chunks.ts';
import { editDistance } from '../../service/knowledge/edit-distance.ts';
import { normalize, terms } from '../../service/knowledge/terms.ts';
import { valuesOf } from '../support/values-of.ts';

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
    it(`gives “${one}” and “${other}” the same terms`, () => assert.deepEqual(terms(one!), terms(other!)));
  }

  for (const [noun, adjective] of [
    ['الذهب', 'ذهبية'],
    ['كتاب', 'الكتابيين'],
  ]) {
    it(`gives “${noun}” and “${adjective}” terms of their own`, () => {
      assert.notDeepEqual(terms(noun!), terms(adjective!));
      assert.deepEqual(terms(adjective!), [`${terms(noun!)[0]}ي`]);
    });
  }

  it('removes stop words', () => {
    assert.deepEqual(terms('What are your opening hours, please?'), ['open', 'hour']);
    assert.deepEqual(terms('لو سمحت، متى تفتحون اليوم؟'), ['فتح']);
  });

  it('gives the same terms for European and Arabic digits, with and without vowel marks', () => {
    assert.equal(normalize('الطَّلَبُ ١٠٤٢'), normalize('الطلب 1042'));
  });

  it('returns terms of letters and digits only', () => {
    for (const term of terms("it's a | b & !c :* 'd\\ (e) <-> f")) assert.match(term, /^[\p{L}\p{N}]+$/u);
  });

  it('leave out what is too long for a word', () => {
    assert.deepEqual(terms(`${'x'.repeat(201)} vase`), ['vase']);
  });
});

describe('a passage', () => {
  it('gives a passage its nearest heading and the headings above', () => {
    assert.deepEqual(
      passages('# Shop\n\nHello.\n\n## Returns\nWithin 14 days.\n\n- unused\n- with receipt\n\n# Other'),
      [
        { title: 'Shop', within: [], body: 'Hello.' },
        { title: 'Returns', within: ['Shop'], body: 'Within 14 days.\n\n- unused\n- with receipt' },
      ],
    );
  });

  it('splits a long passage between paragraphs', () => {
    const paragraph = 'word '.repeat(80).trim();
    const found = passages(`# Long\n\n${paragraph}\n\n${paragraph}\n\n${paragraph}`);
    assert.equal(found.length, 3);
    assert.ok(found.every(({ title, body }) => title === 'Long' && body === paragraph));
  });
});

it('splitIntoChunks returns chunks that join to the original text', () => {
  for (const text of ['', 'One', 'a b c d', '- **One**\n- Two\n\n  three ', 'نفتح من السبت\nإلى الأربعاء']) {
    assert.equal(splitIntoChunks(text).join(''), text);
  }
});

describe('the language of a text', () => {
  for (const [text, language] of [
    ['Where is Bahla?', 'en'],
    ['أين طلبي PC-1042؟', 'ar'],
    ['كم سعر iPhone', 'ar'],
    ['12:30?', undefined],
  ] as const) {
    it(`detects the language of “${text}”`, () => assert.equal(languageOf(text), language));
  }
});

describe('requestsHandoff', () => {
  for (const wish of [
    'I want to talk to a human',
    'Can I speak with someone from your team?',
    'human please',
    'Connect me to an agent who is a real person',
    'customer service',
    'أريد التحدث إلى شخص حقيقي',
    'حولني لموظف لو سمحت',
    'خدمة العملاء',
    'ممكن تحولني لأحد من الفريق؟',
    'ابغى اكلم شخص حقيقي',
    'No, I want to talk to a human',
    'I do not want a bot, I want to talk to a human',
    "I don't want to talk to a bot I want to talk to a human",
    "Why don't you connect me to a real person?",
    'I do not understand this can I talk to a human',
    'لا، أريد التحدث إلى موظف',
    'لا أريد التحدث مع روبوت، حولني لموظف',
    'Not a bot please, a real person',
    'I want a person',
    'I need a person to help me',
    'ليس روبوت، شخص حقيقي',
  ]) {
    it(`recognizes “${wish}” as a handoff request`, () => assert.equal(requestsHandoff(wish), true));
  }
  for (const other of [
    'How much is it per person?',
    'Is the class for one person?',
    'Do you have staff discounts?',
    'I need a gift for a person who loves tea',
    'كم السعر للشخص؟',
    'كم عدد الموظفين لديكم؟',
    "I don't want to talk to a human",
    'I do not need a human, thanks',
    "Please don't connect me to a person",
    "I'd rather not speak to someone from your team",
    'Can you solve this without transferring me to an agent?',
    'Can you help me without getting me to talk to a human?',
    'I want no human',
    'There is no need to put me through to a person',
    'لا أريد التحدث إلى موظف',
    'ما أبغى أكلم موظف',
    'مابي أكلم أحد',
    'هل تقدر تساعدني بدون تحويلي إلى موظف؟',
    'لا داعي لتحويلي إلى شخص',
    'لا حاجة للتحدث مع موظف',
    'I do not want a person, just tell me the hours',
    'Are you a bot or a human?',
    'No agent please',
    'Do you have hosting, customer support, and backups?',
    'I need a person who can throw clay, are there any courses?',
  ]) {
    it(`does not recognize “${other}” as a handoff request`, () => assert.equal(requestsHandoff(other), false));
  }
});

it('counts swapped letters as one edit', () => {
  assert.equal(editDistance('parking', 'parkng'), 1);
  assert.equal(editDistance('kiln', 'klin'), 1);
  assert.equal(editDistance('', 'clay'), 4);
});

describe('freeTimes', () => {
  const minutesOf = (time: string) => (Date.parse(time) - Date.UTC(2027, 0, 1)) / 60_000;
  const calendar = {
    title: { en: '', ar: '' },
    minutes: 120,
    weekly: [
      ['sat', '18:00'],
      ['tue', '18:00'],
    ] as [string, string][],
  };

  const times = (timeZone: string, now: string, count: number) =>
    freeTimes(calendar, { timeZone, now: Date.parse(now), taken: new Set(), count });

  it('returns times in the time zone of the place', () => {
    // Monday, 10:00 in Muscat.
    assert.deepEqual(times('Asia/Muscat', '2026-10-05T06:00:00Z', 2), [
      { start: '2026-10-06T18:00:00+04:00', end: '2026-10-06T20:00:00+04:00' },
      { start: '2026-10-10T18:00:00+04:00', end: '2026-10-10T20:00:00+04:00' },
    ]);
  });

  it('keeps the local hour when daylight saving time changes', () => {
    const found = times('Europe/Berlin', '2026-10-24T00:00:00Z', 2);
    assert.deepEqual(valuesOf(found, 'start'), ['2026-10-24T18:00:00+02:00', '2026-10-27T18:00:00+01:00']);
  });

  it('returns each day once, at every minute of a year in which the clock changes', () => {
    const daily = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'].map((weekday) => [weekday, '10:00']);
    const zones = ['Europe/Berlin', 'America/New_York', 'America/Santiago', 'Africa/Cairo', 'Africa/Casablanca'];
    const zone = fc.constantFrom(...zones, 'Australia/Lord_Howe', 'Asia/Muscat', 'Pacific/Kiritimati');
    const minuteOfYear = fc.integer({ min: 0, max: 365 * 24 * 60 });
    fc.assert(
      fc.property(zone, minuteOfYear, (timeZone, minute) => {
        const now = Date.UTC(2027, 0, 1, 0, minute);
        const given = { ...calendar, weekly: daily as [string, string][] };
        const starts = freeTimes(given, { timeZone, now, taken: new Set(), count: 5 }).map(({ start }) => start);
        const dates = Array.from(
          { length: 5 },
          (_, at) => new Date(Date.parse(starts[0]!.slice(0, 10)) + at * 86_400_000),
        );
        assert.deepEqual(
          starts.map((start) => start.slice(0, 16)),
          dates.map((date) => `${date.toISOString().slice(0, 10)}T10:00`),
        );
        const waitHours = (Date.parse(starts[0]!) - now) / 3_600_000;
        assert.ok(waitHours >= 2 && waitHours < 2 + 25, String(waitHours));
      }),
      {
        numRuns: 300,
        examples: [
          ['Europe/Berlin', minutesOf('2027-10-29T22:15:00Z')],
          ['Europe/Berlin', minutesOf('2027-03-26T22:30:00Z')],
        ],
      },
    );
  });
});

describe('an excerpt', () => {
  const weights = new Map([['refund', 3]]);
  const options = { language: 'en', limit: 1000 } as const;

  it('is the whole of a short passage', () => {
    assert.equal(excerpt('One line.\n\n- two', weights, options), 'One line.\n\n- two');
  });

  it('of a list without blank lines is bounded and contains the matching line', () => {
    const lines = Array.from({ length: 4000 }, (_, at) => `- Line ${at} about something else`);
    lines[3210] = '- A refund takes five days';
    const text = excerpt(lines.join('\n'), weights, options);
    assert.ok(text.length <= options.limit, `${text.length} characters`);
    assert.match(text, /A refund takes five days/);
  });

  it('of a long text has the matching sentences, in order', () => {
    const text = `${'Nothing here. '.repeat(40)}A refund is free. ${'Nothing here. '.repeat(40)}Refunds take a week.`;
    assert.equal(excerpt(text, weights, options), 'Nothing here. A refund is free. Refunds take a week.');
  });

  it('of one endless line is cut between words', () => {
    const text = excerpt('word '.repeat(1000), weights, options);
    assert.ok(text.length <= options.limit);
    assert.match(text, / word…$/);
  });
});
