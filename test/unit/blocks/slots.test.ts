import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { slotText, toDays, zoneName, type Zones } from '../../../src/blocks/slots.ts';

const muscat: Zones = { tag: 'en-GB', zone: 'Asia/Muscat', place: 'Asia/Muscat' };
const paris: Zones = { tag: 'en-GB', zone: 'Europe/Paris', place: 'Asia/Muscat' };

const times = [
  { start: '2026-03-29T20:00:00+04:00' },
  { start: '2026-03-28T10:00:00+04:00', end: '2026-03-28T11:30:00+04:00' },
  { start: '2026-03-28T18:00:00+04:00' },
];

/** Replaces narrow and no-break spaces. */
const plain = (text: string) => text.replace(/[\u2009\u202f\u00a0]/g, ' ');

describe('Open times', () => {
  it('are grouped by day, in order, in the visitor’s time zone', () => {
    const days = toDays(times, muscat);
    assert.deepEqual(
      days.map(({ label, slots }) => [label, slots.map((slot) => plain(slot.label))]),
      [
        ['Saturday 28 March', ['10:00–11:30', '18:00']],
        ['Sunday 29 March', ['20:00']],
      ],
    );
    assert.ok(days.every(({ slots }) => slots.every(({ placeLabel }) => placeLabel === '')));
  });

  it('show the place’s time where its clocks differ, also across a change of daylight saving time', () => {
    const [saturday, sunday] = toDays(times, paris);
    assert.deepEqual(
      saturday!.slots.map(({ label, placeLabel }) => [plain(label), placeLabel]),
      [
        ['07:00–08:30', '10:00'],
        ['15:00', '18:00'],
      ],
    );
    assert.deepEqual(
      sunday!.slots.map(({ label, placeLabel }) => [label, placeLabel]),
      [['18:00', '20:00']],
    );
  });

  it('name the day at the place when it differs', () => {
    const [day] = toDays([{ start: '2026-03-29T01:00:00+04:00' }], paris);
    assert.equal(day!.label, 'Saturday 28 March');
    assert.equal(day!.slots[0]!.placeLabel, 'Sun 01:00');
  });

  it('that end after midnight are a range of times without dates', () => {
    const late = [{ start: '2026-03-28T23:30:00+04:00', end: '2026-03-29T00:30:00+04:00' }];
    for (const [tag, expected] of [
      ['en-GB', '23:30 – 00:30'],
      ['en-US', '11:30 PM – 12:30 AM'],
      ['ar-u-nu-latn', '11:30 م – 12:30 ص'],
    ] as const)
      assert.deepEqual(
        toDays(late, { ...muscat, tag }).map(({ slots }) => slots.map(({ label }) => plain(label))),
        [[expected]],
      );
  });

  it('show no second time when only the name of the zone differs', () => {
    const [day] = toDays([{ start: '2026-03-28T10:00:00+04:00' }], { ...muscat, place: 'Asia/Dubai' });
    assert.equal(day!.slots[0]!.placeLabel, '');
  });

  it('ignore an unknown time zone and an invalid end', () => {
    for (const place of ['', 'Mars/Olympus']) {
      const [day] = toDays([{ start: '2026-03-28T10:00:00+04:00', end: 'soon' }], { ...paris, place });
      assert.equal(day!.slots[0]!.label, '07:00');
      assert.equal(day!.slots[0]!.placeLabel, '');
    }
  });

  it('are formatted in the visitor’s language, with the name of the place’s time zone', () => {
    const at = Date.parse(times[1]!.start);
    assert.equal(zoneName(at, paris), 'Gulf Standard Time');
    assert.match(zoneName(at, { ...paris, tag: 'ar' }), /الخليج/);
    assert.match(plain(slotText(at, paris)), /^Saturday,? 28 March 2026 at 07:00$/);
    assert.match(slotText(at, { ...paris, tag: 'ar' }), /السبت/);
  });

  it('name the zone in the hour that occurs twice when the clocks are put back', () => {
    const newYork: Zones = { tag: 'en-US', zone: 'America/New_York', place: 'America/New_York' };
    const starts = [5, 6, 7].map((hour) => `2026-11-01T0${hour}:30:00Z`);
    const [day] = toDays([...starts.map((start) => ({ start })), { start: starts[1]!, end: starts[2]! }], newYork);
    assert.deepEqual(
      day!.slots.map(({ label }) => plain(label)),
      ['1:30 AM EDT', '1:30 AM EST', '1:30 – 2:30 AM EST', '2:30 AM'],
    );
    assert.deepEqual(
      starts
        .map((start) => plain(slotText(Date.parse(start), newYork)))
        .map((text) => text.slice(text.indexOf(' at '))),
      [' at 1:30:00 AM EDT', ' at 1:30:00 AM EST', ' at 2:30 AM'],
    );
  });
});
