/** Statements of the contract about deliveries of events and their retries. */
import assert from 'node:assert/strict';
import { newContact } from './contacts.ts';
import { minute, type StatementContext } from './context.ts';
import { hanging } from './slow-deliveries.ts';
import { about, inSection, once, type Statement } from './statement.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

const section = inSection('Delivery and retries');
const delays = [1, 5, 30, 120, 720];

/** Waits until the newest delivery of an endpoint has a number of attempts whose results are recorded. */
const attempted = (context: StatementContext, endpoint: WebhookEndpoint, attempts: number) =>
  context.until(async () => {
    const [delivery] = await endpoint.log();
    return delivery?.attempts === attempts && delivery.lastAttemptAt !== null && delivery.holder === undefined
      ? recordedAttempt(delivery, attempts)
      : undefined;
  });

/** A delivery whose attempt has not ended has the number of failures of the attempts before. */
const recordedAttempt = (delivery: any, attempts: number) =>
  delivery.status === 'succeeded' || delivery.failures === attempts ? delivery : undefined;

/** A delivery that fails until its retries are used up, and is replayed afterwards. */
const retried = once(async (context) => {
  const endpoint = await context.webhook(['contact.created']);
  endpoint.respondWith((response) => response.writeHead(503).end());
  await newContact(context);
  const attempts = [await attempted(context, endpoint, 1)];
  for (const [at, wait] of delays.entries()) {
    await context.advance(wait * minute + 1000);
    attempts.push(await attempted(context, endpoint, at + 2));
  }
  const failed = attempts.at(-1);
  const { data: deadLetters } = await context.team('GET', '/dead-letters?limit=100');
  endpoint.respondWith((response) => response.writeHead(299).end());
  await context.team('POST', `/webhooks/${endpoint.id}/deliveries/${failed.id}/replay`, {});
  await endpoint.count(7);
  const replayed = await context.until(async () => {
    const [delivery] = await endpoint.log();
    return delivery.status === 'succeeded' && delivery;
  });
  const { deliveries } = endpoint;
  await endpoint.remove();
  return { attempts, failed, deadLetters, replayed, deliveries };
});

/** Responds once with `respond`, and returns the delivery after its first attempt. */
const firstAttempt = async (context: StatementContext, respond: (response: any) => void) => {
  const endpoint = await context.webhook(['contact.created']);
  endpoint.respondWith(respond);
  await newContact(context);
  const delivery = await context.until(async () => {
    const [newest] = await endpoint.log();
    return (
      newest && newest.lastAttemptAt !== null && (newest.status === 'succeeded' || newest.failures === 1) && newest
    );
  });
  await endpoint.remove();
  return delivery;
};

const results: Statement[] = [
  ...[200, 201, 202, 204, 299].map((status) =>
    section(`A response with the status ${status} is a success.`, async (context) => {
      const { status: result } = await firstAttempt(context, (response) => response.writeHead(status).end());
      assert.equal(result, 'succeeded');
    }),
  ),
  ...[301, 302, 307, 308].map((status) =>
    section(`A redirect with the status ${status} is a failure and is not followed.`, async (context) => {
      const target = context.server.route(`/${context.unique('target')}`, (response) => response.end());
      const redirect = (response: any) => response.writeHead(status, { location: target.url }).end();
      const delivery = await firstAttempt(context, redirect);
      assert.deepEqual([delivery.status, delivery.lastStatus], ['pending', status]);
      assert.deepEqual(target.requests, []);
    }),
  ),
  ...[400, 404, 410, 500, 503].map((status) =>
    section(`A response with the status ${status} is a failure.`, async (context) => {
      const delivery = await firstAttempt(context, (response) => response.writeHead(status).end());
      assert.deepEqual([delivery.status, delivery.lastStatus], ['pending', status]);
    }),
  ),
  section('A connection that is closed without a response is a failure.', async (context) => {
    const delivery = await firstAttempt(context, (response) => response.socket.destroy());
    assert.deepEqual([delivery.status, delivery.lastStatus], ['pending', null]);
  }),
  section('A delivery to a host that is refused is a failure.', async (context) => {
    const body = { url: 'https://93.184.216.34/', events: ['campaign.sent'], description: context.world.refusedHost };
    const { body: endpoint } = await context.call('POST', '/webhooks', { body });
    await context.team('POST', `/webhooks/${endpoint.id}/test`, {});
    const delivery = await context.until(async () => {
      const { data } = await context.team('GET', `/webhooks/${endpoint.id}/deliveries`);
      return data[0].failures === 1 && data[0];
    });
    await context.call('DELETE', `/webhooks/${endpoint.id}`);
    assert.deepEqual([delivery.status, delivery.lastError], ['pending', 'private_address']);
  }),
  ...about(section, hanging, {
    'An endpoint that does not respond within 8 seconds has failed.': ({ silentFor, silentDelivery }) => {
      assert.ok(silentFor > 7000 && silentFor < 14_000, `${silentFor} ms`);
      assert.deepEqual([silentDelivery.status, silentDelivery.lastError], ['pending', 'timeout']);
    },
    'The 8 seconds are for the whole exchange: a response that never ends is a failure.': ({
      endlessFor,
      endlessDelivery,
    }) => {
      assert.ok(endlessFor < 14_000, `${endlessFor} ms`);
      assert.notEqual(endlessDelivery.status, 'succeeded');
    },
    'An endpoint that responds after 6.5 seconds has succeeded.': ({ lateDelivery }) =>
      assert.equal(lateDelivery.status, 'succeeded'),
  }),
];

const names = ['1 minute', '5 minutes', '30 minutes', '2 hours', '12 hours'];
const retries: Statement[] = [
  ...delays.map((wait, at) =>
    section(`Retry ${at + 1} of a delivery is due ${names[at]} after the attempt before it.`, async (context) => {
      const { attempts } = await retried(context);
      const { lastAttemptAt, nextAttemptAt } = attempts[at];
      assert.equal(Date.parse(nextAttemptAt) - Date.parse(lastAttemptAt), wait * minute);
      assert.equal(attempts[at + 1].attempts, at + 2);
    }),
  ),
  ...about(section, retried, {
    'The last retry is due 14 hours and 36 minutes after the first attempt.': ({ attempts }) => {
      const total = Date.parse(attempts.at(-1).lastAttemptAt) - Date.parse(attempts[0].lastAttemptAt);
      assert.ok(Math.abs(total - 876 * minute) < 2 * minute, `${total / minute} minutes`);
    },
    'After the last retry, a delivery is marked as failed.': ({ failed }) =>
      assert.deepEqual([failed.attempts, failed.status, failed.nextAttemptAt], [6, 'failed', null]),
    'Every retry carries the same event id.': ({ deliveries }) => {
      assert.equal(deliveries.length, 7);
      assert.equal(new Set(deliveries.map(({ event }) => event.id)).size, 1);
    },
    'Every attempt and replay has a new X-Service-Delivery, with the number of the attempt.': ({ deliveries }) => {
      const numbers = deliveries.map(({ headers }) => String(headers['x-service-delivery']).split('_')[2]);
      assert.deepEqual(numbers, ['1', '2', '3', '4', '5', '6', '7']);
    },
    'Every attempt is signed with its own time, so that a receiver accepts it.': ({ deliveries }) => {
      const times = deliveries.map(({ headers }) => Number(headers['x-service-timestamp']));
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      );
      assert.ok(times[5]! - times[0]! >= 876 * 60);
    },
    'Every attempt carries the same body.': ({ deliveries }) =>
      assert.equal(new Set(deliveries.map(({ raw }) => raw)).size, 1),
    'A failed delivery is in the delivery log and can be replayed from it.': ({ failed, deadLetters, replayed }) => {
      assert.ok(deadLetters.some(({ id }: any) => id === failed.id));
      assert.deepEqual([replayed.id, replayed.status], [failed.id, 'succeeded']);
    },
  }),
];

/** Lets events of an endpoint fail for good. */
const failEvents = async (context: StatementContext, endpoint: WebhookEndpoint, events: number): Promise<void> => {
  const before = endpoint.deliveries.length;
  for (let at = 0; at < events; at++) await newContact(context);
  const wanted = (await endpoint.log()).map(({ id }) => id);
  for (const [at, wait] of [...delays, 0].entries()) {
    await endpoint.count(before + events * (at + 1));
    await context.until(async () => {
      const log = await endpoint.log();
      const pending = log.filter(({ id, status }) => wanted.includes(id) && status === 'pending');
      return pending.every(({ failures }) => failures > at);
    });
    if (wait > 0) await context.advance(wait * minute + 1000);
  }
};

const disabled = once(async (context) => {
  const endpoint = await context.webhook(['contact.created']);
  endpoint.respondWith((response) => response.writeHead(500).end());
  await failEvents(context, endpoint, 19);
  const before = await endpoint.read();
  await failEvents(context, endpoint, 1);
  const after = await context.until(async () => {
    const read = await endpoint.read();
    return !read.enabled && read;
  });
  const received = endpoint.deliveries.length;
  await newContact(context);
  const log = await endpoint.log();
  await context.team('PATCH', `/webhooks/${endpoint.id}`, { enabled: true });
  const again = await endpoint.read();
  await endpoint.remove();
  return { before, after, received, log, again };
});

const state = inSection('Webhook endpoint state');
const disabling: Statement[] = [
  ...about(state, disabled, {
    'An endpoint with 19 failed events in a row is still enabled.': ({ before }) => assert.equal(before.enabled, true),
    'An endpoint with 20 failed events in a row is disabled with the reason failures.': ({ after }) =>
      assert.deepEqual([after.enabled, after.disabled_reason], [false, 'failures']),
    'A failed event is counted once, after its last retry.': ({ received }) => assert.equal(received, 20 * 6),
    'An endpoint that is disabled receives no new events.': ({ log, received }) => {
      assert.equal(log.length, 20);
      assert.equal(received, 120);
    },
    'An endpoint that was disabled by failures can be enabled again.': ({ again }) =>
      assert.deepEqual([again.enabled, again.disabled_reason], [true, null]),
  }),
];

export const deliveryStatements: Statement[] = [...results, ...retries, ...disabling];
