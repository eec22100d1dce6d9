import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eq, sql } from 'drizzle-orm';
import { conversations, events, topUps, usageAlerts, workspaces } from '../../service/db/schema.ts';
import { releaseQuota, reserveQuota } from '../../service/chat/quota.ts';
import { countUsage, usageByAgent } from '../../service/chat/usage-counts.ts';
import type { Conversation } from '../../service/db/records.ts';
import { useTestService } from './support.ts';

const tested = useTestService();

const usage = async () => (await tested.api('GET', '/usage')).body;

describe('the usage of a month', () => {
  const conversation = { workspaceId: 'wsp_palm_and_clay', agentId: 'agt_palm_and_clay' } as Conversation;

  it('counts by the month in UTC, also when transactions count at the same time', async () => {
    const { db } = tested.service;
    const lastMoment = new Date('2027-01-31T23:59:59.999Z');
    const counts = [
      ...Array.from({ length: 20 }, () => countUsage(db, conversation, lastMoment, { messages: 1 })),
      countUsage(db, conversation, new Date('2027-02-01T00:00:00.000Z'), { conversations: 1 }),
    ];
    await Promise.all(counts);
    const january = await usageByAgent(db, conversation.workspaceId, '2027-01-01');
    assert.deepEqual(january.get(conversation.agentId), { conversations: 0, messages: 20 });
    const february = await usageByAgent(db, conversation.workspaceId, '2027-02-01');
    assert.deepEqual(february.get(conversation.agentId), { conversations: 1, messages: 0 });
  });

  it('gives the quota back to the month in which it was reserved', async () => {
    const { db } = tested.service;
    const clock = { now: Date.parse('2027-03-31T23:59:59Z') };
    const { body } = await tested.chat('I want to talk to a human');
    const isSame = eq(conversations.id, body.conversation_id);
    const [started] = await db.update(conversations).set({ countedAt: null }).where(isSame).returning();
    const used = async (month: string) =>
      (await usageByAgent(db, conversation.workspaceId, month)).get(conversation.agentId)?.conversations ?? 0;
    assert.equal(await reserveQuota({ db, now: () => clock.now }, started!), true);
    assert.equal(await used('2027-03-01'), 1);
    clock.now = Date.parse('2027-04-01T00:00:01Z');
    await releaseQuota({ db }, started!);
    await releaseQuota({ db }, started!);
    assert.deepEqual([await used('2027-03-01'), await used('2027-04-01')], [0, 0]);
  });

  it('keeps the quota of a conversation that another process has taken over', async () => {
    const { db, now } = tested.service;
    const { body } = await tested.chat('I want to talk to a human');
    const isSame = eq(conversations.id, body.conversation_id);
    const [lost] = await db.update(conversations).set({ countedAt: null }).where(isSame).returning();
    const { used } = (await usage()).pool;
    await reserveQuota({ db, now }, lost!);
    await db.update(conversations).set({ turnHolder: 'another process' }).where(isSame);
    await assert.rejects(releaseQuota({ db }, lost!), /taken the conversation over/);
    assert.equal((await usage()).pool.used, used + 1);
  });

  for (const isNearThreshold of [false, true]) {
    const month = isNearThreshold ? 'near a threshold' : 'at its beginning';
    it(`counts once in a month ${month} when another process took the conversation over before the quota was reserved`, async () => {
      const { db, now } = tested.service;
      if (isNearThreshold) await countUsage(db, conversation, new Date(now()), { conversations: 7500 });
      const { body } = await tested.chat('I want to talk to a human');
      const isSame = eq(conversations.id, body.conversation_id);
      const take = async (turnHolder: string) =>
        (await db.update(conversations).set({ turnHolder, countedAt: null }).where(isSame).returning())[0];
      const [late, next] = [await take('one process'), await take('another process')];
      const { used } = (await usage()).pool;
      await reserveQuota({ db, now }, next!);
      await assert.rejects(reserveQuota({ db, now }, late!), /taken the conversation over/);
      assert.equal((await usage()).pool.used, used + 1);
    });
  }

  it('does not count a conversation whose reply could not be prepared', async () => {
    const { db } = tested.service;
    const { used } = (await usage()).pool;
    const token = await tested.identityToken(await tested.newIdentitySecret(), { sub: 'rashid' });
    const ask = () => tested.chat('Hello', { key: tested.secretKey, contact: { token } });
    await db.execute(sql`alter table memories rename to not_there`);
    assert.equal((await ask()).status, 500);
    await db.execute(sql`alter table not_there rename to memories`);
    assert.equal((await usage()).pool.used, used);
    await ask();
    assert.equal((await usage()).pool.used, used + 1);
  });
});

it('the monthly quota gives the last conversation to one of two visitors, refuses in their language, and ends after the top-ups', async () => {
  await tested.set(workspaces, { plan: 'team' });
  const { used } = (await usage()).pool;
  const counted = { workspaceId: 'wsp_palm_and_clay', agentId: tested.agentId };
  await countUsage(tested.service.db, counted, new Date('2026-10-01'), { conversations: 1999 - used });
  const pair = await Promise.all([tested.chat('Hello'), tested.chat('Hello')]);
  assert.deepEqual(new Set(pair.map(({ body }) => body.limit)), new Set(['monthly', null]));
  const full = await tested.chat('أهلًا', {});
  assert.deepEqual([full.body.limit, full.body.outcome], ['monthly', 'limit']);
  assert.match(full.body.message!.content, /لهذا الشهر/);
  const streamed = await tested.streamed('Hello');
  assert.equal(streamed.find(({ event }) => event === 'outcome')!.data.limit, 'monthly');
  assert.deepEqual((await usage()).pool, { included: 2000, top_ups: 0, used: 2000, remaining: 0 });
  await tested.add(topUps, { id: 't', workspaceId: 'wsp_palm_and_clay', month: '2026-10-01', conversations: 1 });
  assert.equal((await tested.chat('Hello')).body.limit, null);
  assert.equal((await tested.chat('Hello')).body.limit, 'monthly');
});

it('the last conversation of a month gets no reply while the event for it cannot be stored', async () => {
  const { db } = tested.service;
  await tested.set(workspaces, { plan: 'team' });
  const { remaining } = (await usage()).pool;
  await tested.add(topUps, { id: 'last', workspaceId: 'wsp_palm_and_clay', month: '2026-10-01', conversations: 1 });
  const thresholds = () => db.$count(events, eq(events.type, 'usage.threshold'));
  await db.delete(usageAlerts);
  const before = await thresholds();
  await db.execute(sql`alter table usage_alerts rename to not_there`);
  assert.deepEqual([remaining, (await tested.chat('Hello')).status], [0, 500]);
  await db.execute(sql`alter table not_there rename to usage_alerts`);
  assert.equal((await tested.chat('Hello')).body.limit, null);
  assert.equal((await thresholds()) - before, 2);
  assert.equal((await tested.chat('Hello')).body.limit, 'monthly');
});
