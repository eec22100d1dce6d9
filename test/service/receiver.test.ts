import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, it } from 'node:test';
import { Receiver } from './receiver.ts';

const now = Date.parse('2026-10-05T06:00:00.000Z');
const at = now / 1000;
const secret = 'whsec_x';
const body = '{"id": "evt_1",  "type": "lead.created", "data": {"name": "\u0639\u0627\u0626\u0634\u0629"}}';
const receiver = new Receiver(() => now);
before(() => receiver.listen());
after(() => receiver.close());

const sign = (time: number, raw = body, by = secret) =>
  `t=${time},v1=${createHmac('sha256', by).update(`${time}.${raw}`).digest('hex')}`;
const send = async (signature: string, raw = body) =>
  (await fetch(receiver.url, { method: 'POST', body: raw, headers: { 'x-service-signature': signature } })).status;

it('rejects deliveries with an invalid signature in the test receiver', async () => {
  receiver.secret = secret;
  for (const [what, signature, raw] of [
    ['another secret', sign(at, body, 'whsec_y'), body],
    ['301 seconds old', sign(at - 301), body],
    ['301 seconds ahead', sign(at + 301), body],
    ['a later time than was signed', sign(at).replace(`t=${at}`, `t=${at + 1}`), body],
    ['other bytes of the same JSON', sign(at), JSON.stringify(JSON.parse(body))],
    ['a signature cut short', `t=${at},v1=abcd`, body],
    ['none', '', body],
  ] as const) {
    assert.equal(await send(signature, raw), 400, what);
  }
  assert.equal(receiver.refused, 7);
  assert.deepEqual(receiver.received, []);
});

it('accepts signed deliveries up to 300 seconds old and detects duplicates in the test receiver', async () => {
  assert.equal(await send(sign(at)), 204);
  assert.equal(await send(sign(at - 300)), 204);
  assert.deepEqual(
    receiver.received.map(({ repeated }) => repeated),
    [false, true],
  );
});
