import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { conversations } from '../../service/db/schema.ts';
import { proofOf, useHost } from './host-fixture.ts';

const { tested, follow, visitor } = useHost();

describe('the first proof of a conversation', () => {
  /** The number of calls that the relay makes with the secret key. */
  const calls = () => tested.log.filter(({ route }) => String(route).startsWith('/api/v2/conversations/')).length;
  const at = (address: string) => ({ 'x-forwarded-for': address });

  it('is accepted only in the first 60 seconds of the conversation', async () => {
    const [inTime, late] = [await visitor(), await visitor()];
    tested.clock.now += 59_999;
    assert.equal((await follow(inTime.id, inTime.proof)).status, 200);
    tested.clock.now += 1;
    assert.equal((await follow(late.id, late.proof)).status, 403);
    tested.clock.now += 10_000;
    assert.equal((await follow(inTime.id, inTime.proof)).status, 200);
  });

  it('cannot replace the proof of the visitor, also while it is being checked', async () => {
    const { id, proof } = await visitor();
    const [first, other, same] = await Promise.all([
      follow(id, proof, at('192.0.2.1')),
      follow(id, proofOf('another'), at('192.0.2.2')),
      follow(id, proof, at('192.0.2.3')),
    ]);
    assert.deepEqual([first.status, other.status, same.status], [200, 403, 200]);
    for (const wrong of [proofOf('another'), '', 'short']) assert.equal((await follow(id, wrong)).status, 403, wrong);
    assert.equal((await follow(id, proof)).status, 200);
  });

  it('is rejected for a conversation of another agent', async () => {
    const { id, proof } = await visitor();
    await tested.set(conversations, { agentId: tested.service.demo.pausedAgentId }, eq(conversations.id, id));
    assert.equal((await follow(id, proof)).status, 403);
  });

  it('uses the secret key once for a conversation that was rejected', async () => {
    const before = calls();
    for (let request = 0; request < 5; request++) {
      assert.equal((await follow('cnv_unknown', proofOf(String(request)), at(`192.0.2.${request}`))).status, 403);
    }
    assert.equal(calls() - before, 1);
    for (const id of ['', '../me', 'a b', 'x'.repeat(101)]) {
      assert.equal((await follow(encodeURIComponent(id), proofOf('x'))).status, 403);
    }
    assert.equal(calls() - before, 1);
  });

  it('limits an address, and leaves calls of the secret key to proven visitors', async () => {
    const proven = await visitor();
    assert.equal((await follow(proven.id, proven.proof, at('198.51.100.1'))).status, 200);
    tested.nextMinute();
    const statuses: number[] = [];
    for (let request = 0; request < 15; request++) {
      statuses.push((await follow(`cnv_guess_${request}`, proofOf('x'), at('203.0.113.1'))).status);
    }
    assert.deepEqual([statuses[9], statuses[10], statuses[14]], [403, 429, 429]);
    for (let request = 15; request < 100; request++) {
      const page = await follow(`cnv_guess_${request}`, proofOf('x'), at(`203.0.113.${request}`));
      statuses.push(page.status);
      if (page.status === 429) assert.ok(Number(page.headers.get('retry-after')) > 0);
    }
    assert.equal(statuses.filter((status) => status === 403).length, 18);
    assert.equal((await follow(proven.id, proven.proof, at('203.0.113.1'))).status, 200);
    const { status } = await tested.api('GET', '/me');
    assert.equal(status, 200);
  });

  it('is looked up again when the clock was set back after the limit was reached', async () => {
    const statusOf = async (id: string) => (await follow(id, proofOf('x'), at('203.0.113.1'))).status;
    for (let request = 0; request < 10; request++) await statusOf(`cnv_early_${request}`);
    assert.equal(await statusOf('cnv_late'), 429);
    const day = 24 * 60 * 60_000;
    tested.clock.now -= day;
    assert.equal(await statusOf('cnv_late'), 403);
    tested.clock.now += day;
  });

  it('is bound beyond the limit when a webhook has reported the conversation, and the replies follow later', async () => {
    const reported = await visitor();
    await tested.service.work();
    for (let request = 0; request < 40; request++) {
      await follow(`cnv_flood_${request}`, proofOf('x'), at(`203.0.113.${request}`));
    }
    const before = calls();
    assert.equal((await follow(reported.id, reported.proof, at('198.51.100.7'))).status, 429);
    assert.equal((await follow(reported.id, proofOf('another'), at('198.51.100.8'))).status, 403);
    assert.equal(calls(), before);
    tested.clock.now += 10 * 60_000;
    assert.equal((await follow(reported.id, reported.proof, at('198.51.100.7'))).status, 200);
    assert.equal((await follow(reported.id, proofOf('another'), at('198.51.100.8'))).status, 403);
  });

  it('does not use up the secret key when somebody starts many conversations', async () => {
    const before = calls();
    for (let conversation = 0; conversation < 24; conversation++) {
      const { id, proof } = await visitor();
      await follow(id, proof, at(`203.0.113.${conversation}`));
    }
    assert.ok(calls() - before <= 54, String(calls() - before));
    const { status } = await tested.api('GET', '/me');
    assert.equal(status, 200);
  });
});
