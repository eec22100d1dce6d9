/** The questions of an operator have an answer in the log and in the metrics. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { beforeEach, describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { deliveries, monthlyUsage, webhookEndpoints } from '../../service/db/schema.ts';
import { countUsage } from '../../service/chat/usage-counts.ts';
import { createMetrics } from '../../service/telemetry/metrics.ts';
import { plans } from '../../service/core/plans.ts';
import { useTestService } from './support.ts';

const metrics = createMetrics();
const tested = useTestService({ allowLoopback: true, observer: metrics.observer });
const key = tested.secretKey;
const metricsText = async () => (await metrics.read()).text;
beforeEach(() => {
  tested.log.length = 0;
});

describe('why was this reply slow', () => {
  const stages = ['waiting', 'storing', 'preparing', 'quota', 'composing', 'streaming', 'saving'];

  it('has an entry for each turn with the request, the hashed conversation, and the time of each stage', async () => {
    const { headers, body } = await tested.chat('When are you open?', { key });
    const [entry, ...others] = tested.log.filter(({ event }) => event === 'turn');
    assert.deepEqual(others, []);
    assert.equal(entry!.request_id, headers.get('x-request-id'));
    const hash = createHash('sha256').update(body.conversation_id).digest('hex').slice(0, 16);
    assert.deepEqual(
      [entry!['conversation_hash'], entry!['agent_id'], entry!['outcome']],
      [hash, tested.agentId, 'answered'],
    );
    const taken = entry!['stages'] as Record<string, number>;
    assert.deepEqual(Object.keys(taken), stages);
    const total = Object.values(taken).reduce((sum, each) => sum + each, 0);
    assert.equal(total, entry!['milliseconds']);
    assert.ok(!JSON.stringify(tested.log).includes(body.conversation_id), 'no id of a conversation');
  });

  it('has the time in the tools of the app, and the stages in the metrics', async () => {
    const result = { reference: 'PC-20418', status: 'shipped' };
    await tested.withTool('Where is my order PC-20418?', { ok: true, result }, { client_tools: ['get_order_status'] });
    const [entry] = tested.log.filter(({ event }) => event === 'turn');
    assert.ok('tools' in (entry!['stages'] as object), JSON.stringify(entry));
    const text = await metricsText();
    for (const stage of [...stages, 'tools']) {
      assert.match(text, new RegExp(`^workspace_turn_stage_seconds_count\\{stage="${stage}"\\} [1-9]`, 'm'));
    }
  });
});

describe('which webhook fails', () => {
  it('has an entry for each failed attempt, and a series for each failing endpoint until it works again', async () => {
    metrics.watch(tested.service, () => false);
    const body = { url: 'http://127.0.0.1:9/', events: ['contact.created'] };
    const { id } = (await tested.api('POST', '/webhooks', body)).body;
    await tested.api('POST', '/contacts', { external_id: 'one', email: 'planted@c.example' });
    await tested.service.work();
    const [entry] = tested.log.filter(({ event }) => event === 'delivery_failure');
    const { endpoint_id, type, attempts, error } = entry!;
    assert.deepEqual([endpoint_id, type, attempts, error], [id, 'contact.created', 1, 'unreachable']);
    assert.ok(!JSON.stringify(entry).includes('planted'));
    assert.match(await metricsText(), /^workspace_delivery_seconds_count\{result="unreachable"\} 1$/m);
    assert.match(await metricsText(), new RegExp(`^workspace_webhook_failing\\{endpoint="${id}"\\} 0$`, 'm'));
    const isEndpoint = eq(webhookEndpoints.id, id);
    await tested.set(webhookEndpoints, { isFailing: false }, isEndpoint);
    assert.doesNotMatch(await metricsText(), /^workspace_webhook_failing\{/m);
    await tested.set(webhookEndpoints, { enabled: false, disabledReason: 'failures' }, isEndpoint);
    await tested.set(deliveries, { status: 'failed' });
    const text = await metricsText();
    for (const name of ['webhooks_disabled', 'dead_letters'])
      assert.match(text, new RegExp(`^workspace_${name} 1$`, 'm'));
  });
});

describe('who is near the quota', () => {
  it('has a series for each workspace', async () => {
    await tested.service.db.delete(monthlyUsage);
    const counted = { workspaceId: 'wsp_palm_and_clay', agentId: tested.agentId };
    const conversations = plans.business.conversations * 0.75;
    await countUsage(tested.service.db, counted, new Date(tested.clock.now), { conversations });
    assert.match(await metricsText(), /^workspace_quota_used_ratio\{workspace="wsp_palm_and_clay"\} 0.75$/m);
  });
});
