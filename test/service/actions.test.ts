import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeEach, describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import type { StatusCardBlock } from '../../contract/wire.ts';
import { verifyHost } from '../../service/actions/verify-host.ts';
import { actionCalls, actions, verifiedHosts } from '../../service/db/schema.ts';
import { createEncryption } from '../../service/core/encryption.ts';
import { hour, useServer, useTestService } from './support.ts';

process.env['WORKSPACE_ENCRYPTION_KEY'] = 'for this test';
let received: { url: string; headers: IncomingMessage['headers']; body: string }[] = [];
let respond = (response: ServerResponse): void => void response.end('{"state":"sunny","inner":{"degrees":31}}');
const server = useServer((request, response) => {
  let body = '';
  request.on('data', (piece) => (body += String(piece)));
  request.on('end', () => {
    if (request.url === '/.well-known/workspace-assistant.txt') return response.end('pk_palm_and_clay_demo\n');
    received.push({ url: request.url!, headers: request.headers, body });
    return respond(response);
  });
});
const host = () => server.url;
const tested = useTestService({ allowLoopback: true });
const key = tested.secretKey;
const path = '/agents/agt_palm_and_clay/actions';
beforeEach(() => {
  received = [];
});

const create = (body: object, headers = {}) => tested.api('POST', path, body, headers);
const change = (id: string, body: object) => tested.api('PATCH', `${path}/${id}`, body);
const callsOf = async (id: string, query = '') => (await tested.api('GET', `${path}/${id}/calls${query}`)).body.data;
const doer = () => ({
  db: tested.service.db,
  now: () => tested.clock.now,
  encryption: createEncryption('for this test'),
  allowLoopback: true,
});
const verify = async (id: string) => {
  const [action] = await tested.rows(actions, eq(actions.id, id));
  return verifyHost(doer(), action!);
};

/** Creates an enabled http action with its own wording. */
const weather = async (name: string, more: object = {}) => {
  const { body } = await create({
    name,
    kind: 'http',
    url_template: `${host()}/weather/{town_code}?units=metric`,
    headers: { 'X-Api-Key': 'hidden value' },
    input_schema: { type: 'object', properties: { town_code: { type: 'string' } }, required: ['town_code'] },
    output_pick: ['state', 'inner.degrees'],
    config: { asked_by: [`Kiln weather ${name} in town`], timeout_ms: 1500, max_bytes: 500 },
    ...more,
  });
  assert.ok(await verify(body.id));
  assert.equal((await change(body.id, { enabled: true })).status, 200);
  return body;
};

describe('the actions API', () => {
  it('encrypts the values of headers', async () => {
    const { body } = await create({ headers: { Authorization: 'Bearer hidden' } });
    const [stored] = await tested.rows(actions, eq(actions.id, body.id));
    assert.ok(!JSON.stringify([body, stored]).includes('Bearer hidden'));
  });

  it('says that a host is not verified, and disables an action when its host changes', async () => {
    const body = { name: 'door', url_template: `${host()}/door`, enabled: true };
    const refused = await create(body);
    assert.deepEqual([refused.status, refused.error.code, refused.error.details], [409, 'conflict', 'host_unverified']);
    const made = (await create({ ...body, enabled: false })).body;
    assert.ok(await verify(made.id));
    await change(made.id, { enabled: true });
    const moved = (await change(made.id, { url_template: 'https://93.184.216.34/door' })).body;
    assert.deepEqual([moved.enabled, moved.host_verified], [false, false]);
    await tested.service.db.delete(verifiedHosts);
  });

  for (const [what, body] of [
    ['a name in capitals', { name: 'Check' }],
    ['a private address', { url_template: 'https://10.1.2.3/' }],
    ['a host from an input', { url_template: 'https://{host}/x' }],
    ['a line break in a header', { headers: { A: 'x\r\nB: y' } }],
  ] as const) {
    it(`rejects an action with ${what}`, async () => assert.equal((await create(body)).status, 422));
  }
});

describe('the service, for an action call', () => {
  it('fills in the URL template, sends the headers, and returns the picked values', async () => {
    const action = await weather('alpha', { data_access: 'visitor' });
    const { body } = await tested.chat('Kiln weather alpha in town MCT-7/../x', { key });
    assert.deepEqual((body.message!.blocks![0] as StatusCardBlock).rows, [
      { label: 'state', value: 'sunny' },
      { label: 'degrees', value: '31' },
    ]);
    assert.equal(received[0]!.url, '/weather/MCT-7?units=metric');
    assert.equal(received[0]!.headers['x-api-key'], 'hidden value');
    const sent = JSON.parse(received[0]!.body);
    assert.deepEqual([sent.town_code, sent.conversation_id], ['MCT-7', body.conversation_id]);
    const [call] = await callsOf(action.id);
    assert.equal(call.conversation_id, body.conversation_id);
  });

  for (const [reason, how] of [
    ['bad_json', (response: ServerResponse) => void response.end('<html>')],
    ['too_large', (response: ServerResponse) => void response.end(`{"state":"${'x'.repeat(600)}"}`)],
  ] as const) {
    it(`records a call that ends with ${reason} as failed`, async () => {
      const usual = respond;
      respond = how;
      const name = reason.replace('_', '');
      const action = await weather(name);
      const { body } = await tested.chat(`Kiln weather ${name} in town MCT-7`, { key });
      respond = usual;
      assert.equal(body.outcome, 'tool_failed');
      const [call] = await callsOf(action.id, '?failures_only=true');
      assert.deepEqual([call.outcome, call.reason], ['failed', reason]);
    });
  }

  it('refuses a call to a host that is no longer verified', async () => {
    const action = await weather('beta');
    await tested.service.db.delete(verifiedHosts);
    await tested.chat('Kiln weather beta in town MCT-7', { key });
    assert.deepEqual(received, []);
    const [call] = await callsOf(action.id, '?failures_only=true');
    assert.deepEqual([call.outcome, call.reason], ['refused', 'host_unverified']);
  });

  it('deletes the inputs of a request that nobody decides', async () => {
    const action = await weather('gamma', { requires_approval: true });
    const { body } = await tested.chat('Kiln weather gamma in town MCT-7', { key });
    assert.match(body.message!.content, /passed your request to the team/);
    tested.clock.now += 24 * hour;
    await tested.service.work();
    const [stored] = await tested.rows(actionCalls, eq(actionCalls.actionId, action.id));
    assert.deepEqual([stored!.outcome, stored!.encryptedArguments], ['expired', null]);
    assert.deepEqual(received, []);
  });

  it('records the calls of client tools and bookings', async () => {
    await tested.withTool('Palm mug prd_mug', { ok: false, error: 'no' }, { key, client_tools: ['show_product'] });
    const [call] = await callsOf('act_show_product');
    assert.deepEqual([call.outcome, call.reason, call.inputs], ['failed', 'client_error', ['product_id']]);
    const { body } = await tested.chat('Book a class', { key });
    const [block] = body.message!.blocks as any[];
    await tested.chat(block.times[0].start, { key, conversation_id: body.conversation_id });
    const [booked] = await callsOf('act_book_class');
    assert.deepEqual([booked.outcome, booked.detail], ['worked', { vendor: 'studio_calendar' }]);
  });
});
