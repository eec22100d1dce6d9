import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { strings as arabic } from '../../../src/locale/ar.ts';
import { strings as english } from '../../../src/locale/en.ts';
import type { Strings } from '../../../src/locale/strings.ts';
import { findTeamHoursMistake, nextOpening, teamReturn, type TeamHours } from '../../../src/locale/team-hours.ts';

const daily = (timeZone: string, ...periods: string[]): TeamHours => ({
  timeZone,
  hours: Object.fromEntries(['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'].map((day) => [day, periods])),
});

const next = (hours: TeamHours, now: string): string | null => {
  const at = nextOpening(hours, Date.parse(now));
  return at === null ? null : new Date(at).toISOString();
};

describe('The hours of the team', () => {
  const office: TeamHours = {
    timeZone: 'Asia/Muscat',
    hours: { sun: ['09:00-12:30', '14:00-17:00'], mon: ['9:00 – 17:00'] },
    closed: ['2026-11-30'],
  };

  it('are over at the end of a period, and begin again with the next one', () => {
    // 2026-11-29 is a Sunday. Muscat is 4 hours ahead.
    assert.equal(next(office, '2026-11-29T04:59:59Z'), '2026-11-29T05:00:00.000Z');
    assert.equal(next(office, '2026-11-29T05:00:00Z'), null);
    assert.equal(next(office, '2026-11-29T08:29:59Z'), null);
    assert.equal(next(office, '2026-11-29T08:30:00Z'), '2026-11-29T10:00:00.000Z');
    // The Monday after it is closed, and no other day has hours.
    assert.equal(next(office, '2026-11-29T13:00:00Z'), '2026-12-06T05:00:00.000Z');
  });

  it('may go past midnight, also into a closed day', () => {
    const night: TeamHours = { timeZone: 'UTC', hours: { fri: ['22:00-02:00'] }, closed: ['2026-11-28'] };
    assert.equal(next(night, '2026-11-28T01:59:00Z'), null);
    assert.equal(next(night, '2026-11-28T02:00:00Z'), '2026-12-04T22:00:00.000Z');
    assert.equal(next(daily('UTC', '00:00-24:00'), '2026-11-28T23:59:59Z'), null);
  });

  it('keep their local time when the clocks are put forward and back', () => {
    const berlin = daily('Europe/Berlin', '09:00-17:00');
    assert.equal(next(berlin, '2026-03-28T20:00:00Z'), '2026-03-29T07:00:00.000Z');
    assert.equal(next(berlin, '2026-03-27T20:00:00Z'), '2026-03-28T08:00:00.000Z');
    assert.equal(next(berlin, '2026-10-24T20:00:00Z'), '2026-10-25T08:00:00.000Z');
    assert.equal(next(berlin, '2026-10-23T20:00:00Z'), '2026-10-24T07:00:00.000Z');
    const newYork = daily('America/New_York', '09:00-17:00');
    assert.equal(next(newYork, '2026-03-08T03:00:00Z'), '2026-03-08T13:00:00.000Z');
    assert.equal(next(newYork, '2026-11-01T02:00:00Z'), '2026-11-01T14:00:00.000Z');
  });

  it('begin as much later as the clocks skip', () => {
    assert.equal(next(daily('Europe/Berlin', '02:30-04:00'), '2026-03-29T00:00:00Z'), '2026-03-29T01:30:00.000Z');
  });

  it('are those of the team’s date, in a zone that is a day ahead or behind', () => {
    const kiritimati: TeamHours = { timeZone: 'Pacific/Kiritimati', hours: { mon: ['09:00-17:00'] } };
    // Kiritimati is 14 hours ahead: its Monday begins on Sunday.
    assert.equal(next(kiritimati, '2026-11-29T12:00:00Z'), '2026-11-29T19:00:00.000Z');
    const niue: TeamHours = { timeZone: 'Pacific/Niue', hours: { sat: ['09:00-17:00'] } };
    assert.equal(next(niue, '2026-11-29T01:00:00Z'), null);
  });

  it('have no next one for a team that is never there', () => {
    assert.equal(next({ timeZone: 'UTC', hours: {} }, '2026-11-29T01:00:00Z'), null);
  });

  it('begin in the future, at a local time that the page has set, whatever the zone and the day', () => {
    const zones = ['UTC', 'Asia/Muscat', 'Europe/London', 'America/Sao_Paulo', 'Australia/Lord_Howe', 'Asia/Kathmandu'];
    const from = Date.parse('2026-01-01T00:00:00Z');
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 2 * 366 * 24 * 60 }), (timeZone, minutes) => {
        const now = from + minutes * 60_000;
        const at = nextOpening(daily(timeZone, '09:00-17:00'), now);
        const local = (instant: number) =>
          new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(instant);
        if (at === null) return assert.ok(local(now) >= '09:00' && local(now) < '17:00');
        assert.ok(at > now && at - now <= 17 * 3_600_000);
        assert.equal(local(at), '09:00');
      }),
    );
  });

  it('are explained when they are wrong', () => {
    const wrong: readonly (readonly [unknown, string])[] = [
      [{ timeZone: 'Asia/Nowhere', hours: {} }, 'timeZone: Asia/Nowhere'],
      [{ timeZone: 'UTC' }, 'hours'],
      [{ timeZone: 'UTC', hours: { sunday: ['09:00-17:00'] } }, 'hours.sunday'],
      [{ timeZone: 'UTC', hours: { sun: '09:00-17:00' } }, 'hours.sun'],
      [{ timeZone: 'UTC', hours: { sun: ['9-17'] } }, 'hours.sun: 9-17'],
      [{ timeZone: 'UTC', hours: { sun: ['09:00-24:30'] } }, 'hours.sun: 09:00-24:30'],
      [{ timeZone: 'UTC', hours: {}, closed: ['2 December'] }, 'closed: 2 December'],
      [{ timezone: 'Asia/Muscat', hours: { sun: ['09:00-17:00'] } }, 'timeZone: undefined'],
    ];
    for (const [value, mistake] of wrong) assert.equal(findTeamHoursMistake(value as TeamHours), mistake);
    assert.equal(findTeamHoursMistake(daily('UTC', '09:00-17:00')), null);
  });

  it('are said in the time and the language of the visitor', () => {
    const sentence = (now: string, strings: Strings, languageTag: string) =>
      teamReturn(office, Date.parse(now), { strings, languageTag }).replaceAll('\u202f', ' ');
    const zone = process.env['TZ'];
    process.env['TZ'] = 'Asia/Muscat';
    try {
      assert.equal(sentence('2026-11-29T04:00:00Z', english, 'en'), 'The team is back today at 9:00 AM.');
      assert.equal(sentence('2026-11-28T04:00:00Z', english, 'en'), 'The team is back tomorrow at 9:00 AM.');
      assert.equal(sentence('2026-11-27T04:00:00Z', english, 'en-GB'), 'The team is back on Sunday at 09:00.');
      assert.equal(
        sentence('2026-11-29T13:00:00Z', english, 'en'),
        'The team is back on Sunday, December 6 at 9:00 AM.',
      );
      assert.equal(sentence('2026-11-29T05:00:00Z', english, 'en'), '');
      assert.equal(sentence('2026-11-28T04:00:00Z', arabic, 'ar-u-nu-latn'), 'يعود الفريق غدًا الساعة 9:00 ص.');
      assert.equal(sentence('2026-11-27T04:00:00Z', arabic, 'ar-u-nu-latn'), 'يعود الفريق يوم الأحد الساعة 9:00 ص.');
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });
});
