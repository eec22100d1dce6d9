import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { createEventFilter, isGenuine } from '../../demo/host/webhooks.ts';

describe('the receiver of webhooks', () => {
  const secret = 'whsec_x';
  const now = Date.parse('2026-10-05T06:00:00.000Z');
  const sign = (raw: Buffer, at: number, by = secret) =>
    `t=${at},v1=${createHmac('sha256', by).update(`${at}.`).update(raw).digest('hex')}`;

  it('accepts a webhook that is signed with the endpoint’s secret within 300 seconds', () => {
    const raw = Buffer.from('{"text": "\u0645\u0631\u062d\u0628\u0627",  "n": 1.0}');
    const at = now / 1000;
    assert.equal(isGenuine(raw, sign(raw, at), secret, now), true);
    for (const late of [300, -300]) assert.equal(isGenuine(raw, sign(raw, at + late), secret, now), true);
    for (const [what, signature, body] of [
      ['301 seconds old', sign(raw, at - 301), raw],
      ['301 seconds ahead', sign(raw, at + 301), raw],
      ['another secret', sign(raw, at, 'whsec_y'), raw],
      ['another time than was signed', sign(raw, at).replace(/t=\d+/, `t=${at + 1}`), raw],
      ['written again', sign(raw, at), Buffer.from(JSON.stringify(JSON.parse(raw.toString())))],
      ['short', `t=${at},v1=00`, raw],
      ['none', '', raw],
    ] as const) {
      assert.equal(isGenuine(body, signature, secret, now), false, what);
    }
  });

  it('accepts any of several signatures, as while the secret is being replaced', () => {
    const raw = Buffer.from('{}');
    const at = now / 1000;
    const value = (by: string) => sign(raw, at, by).split(',')[1]!;
    const [old, current, foreign] = [value('whsec_old'), value(secret), value('whsec_foreign')];
    for (const values of [
      [old, current],
      [current, old],
      [foreign, old, current],
    ]) {
      assert.equal(isGenuine(raw, [`t=${at}`, ...values].join(','), secret, now), true);
    }
    for (const values of [[old, foreign], [], [current, 'v0=00'], Array.from({ length: 6 }, () => current)]) {
      assert.equal(isGenuine(raw, [`t=${at}`, ...values].join(','), secret, now), false);
    }
  });

  it('handles an event once, however late its last retry is', () => {
    const minute = 60_000;
    let time = now;
    const isNew = createEventFilter(() => time);
    assert.equal(isNew('evt_1'), true);
    for (const wait of [1, 5, 30, 120, 720]) {
      time += wait * minute;
      assert.equal(isNew('evt_1'), false, `${wait} minutes later`);
    }
    assert.equal(isNew('evt_2'), true);
  });
});
