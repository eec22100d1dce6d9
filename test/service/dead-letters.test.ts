import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eq } from 'drizzle-orm';
import { deliveries } from '../../service/db/schema.ts';
import { addWorkspace } from '../support/servers/delivery-load.ts';
import { ok } from './receiver.ts';
import { useWebhooks } from './webhook-fixture.ts';
import { valuesOf } from '../support/values-of.ts';

const { tested, receiver, subscribe, emitTestEvent } = useWebhooks();

const deadLetters = async (query = '', key?: string) =>
  (await tested.callTeam('GET', `/dead-letters${query}`, undefined, key)).body;

/** Emits an event whose last retry fails. */
const emitDeadLetter = async (status: number): Promise<string> => {
  receiver.respond = (response) => response.writeHead(status).end();
  const id = await emitTestEvent();
  await tested.set(deliveries, { failures: 5, attempts: 5 }, eq(deliveries.eventId, id));
  await tested.service.work();
  return id;
};

it('lists the deliveries whose retries are used up, and replays them', async () => {
  const { id: endpoint } = await subscribe(['lead.created']);
  receiver.respond = (response) => response.writeHead(500).end();
  await emitTestEvent();
  await tested.service.work();
  assert.deepEqual(await deadLetters(), { data: [], next_cursor: null }, 'it has retries left');

  const at = new Date(tested.clock.now).toISOString();
  const event = await emitDeadLetter(503);
  const { data } = await deadLetters();
  const { id, replay_path } = data[0];
  assert.deepEqual(data, [
    {
      id,
      event: { id: event, type: 'lead.created', created_at: at },
      endpoint: { id: endpoint, url: receiver.url, enabled: true },
      attempts: 6,
      last_status: 503,
      last_error: 'http_status',
      failed_at: at,
      replay_path: `/team/webhooks/${endpoint}/deliveries/${id}/replay`,
    },
  ]);

  receiver.respond = ok;
  assert.equal((await tested.callTeam('POST', replay_path.replace('/team', ''))).status, 202);
  assert.deepEqual((await deadLetters()).data, []);
  await tested.service.work();
  const { headers, event: delivered } = receiver.received.at(-1)!;
  assert.deepEqual([delivered.id, headers['x-service-delivery']], [event, `dlv_${id}_7`]);
});

it('replays a delivery once at a time', async () => {
  const { id } = await subscribe(['lead.created']);
  await tested.callTeam('POST', `/webhooks/${id}/test`);
  await tested.service.work();
  assert.deepEqual(receiver.received[0]!.event.data, { message: 'test' });
  const [delivery] = (await tested.callTeam('GET', `/webhooks/${id}/deliveries`)).body.data;
  const replay = async () => (await tested.callTeam('POST', `/webhooks/${id}/deliveries/${delivery.id}/replay`)).status;
  assert.deepEqual([await replay(), await replay()], [202, 409]);
  await tested.service.work();
  assert.equal(receiver.received[1]!.repeated, true);
});

it('returns the deliveries of an endpoint in pages, newest first', async () => {
  const { id } = await subscribe(['lead.created']);
  const emitted: string[] = [];
  for (let each = 0; each < 3; each++) {
    tested.clock.now += 1000;
    emitted.unshift(await emitTestEvent());
  }
  const log = async (query: string) => (await tested.callTeam('GET', `/webhooks/${id}/deliveries${query}`)).body;
  const first = await log('?limit=2');
  const second = await log(`?limit=2&cursor=${first.next_cursor}`);
  assert.deepEqual(valuesOf([...first.data, ...second.data], 'eventId'), emitted);
  assert.equal(second.next_cursor, null);
});

it('lists the deliveries that were given up because their endpoint is off', async () => {
  const { id } = await subscribe(['lead.created']);
  await emitTestEvent();
  await tested.callTeam('PATCH', `/webhooks/${id}`, { enabled: false });
  await tested.service.work();
  const [only, ...others] = (await deadLetters()).data;
  assert.deepEqual(others, []);
  assert.deepEqual([only.last_error, only.endpoint.enabled, only.attempts], ['endpoint_disabled', false, 1]);
});

it('returns pages of the own workspace only, newest first', async () => {
  await subscribe(['lead.created']);
  const emitted: string[] = [];
  for (let each = 0; each < 3; each++) {
    tested.clock.now += 1000;
    emitted.unshift(await emitDeadLetter(500));
  }
  const first = await deadLetters('?limit=2');
  const second = await deadLetters(`?limit=2&cursor=${first.next_cursor}`);
  assert.deepEqual(
    [...first.data, ...second.data].map(({ event }: any) => event.id),
    emitted,
  );
  assert.equal(second.next_cursor, null);
  assert.equal((await tested.callTeam('GET', '/dead-letters?limit=0')).status, 422);
  const other = await addWorkspace(tested.service.db);
  assert.deepEqual((await deadLetters('', other.key)).data, []);
});
