import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import type { JsonObject, StatusCardBlock, FormBlock } from '../../contract/wire.ts';
import { callHttp } from '../../service/actions/http-call.ts';
import { createEncryption } from '../../service/core/encryption.ts';
import type { StoredAction } from '../../service/db/records.ts';
import { actionCalls, actions, verifiedHosts } from '../../service/db/schema.ts';
import { recordQueries } from './explained-queries.ts';
import { rejectChanges } from './scenarios.ts';
import { hour, useServer, useTestService } from './support.ts';

let respond = (response: ServerResponse): void => void response.end('{"state":"sunny","inner":{"degrees":31}}');
const server = useServer((response) => respond(response));
const tested = useTestService({ allowLoopback: true });
const key = tested.secretKey;
const path = '/agents/agt_palm_and_clay/actions';
const create = (body: object, headers = {}) => tested.api('POST', path, body, headers);
const change = (id: string, body: object) => tested.api('PATCH', `${path}/${id}`, body);
const callsOf = async (id: string, query = '') => (await tested.api('GET', `${path}/${id}/calls${query}`)).body.data;
/** Creates an enabled http action with its own wording. */
const weather = async (name: string, more: object = {}) => {
  const { body } = await create({
    name,
    kind: 'http',
    url_template: `${server.url}/weather/{town_code}?units=metric`,
    headers: { 'X-Api-Key': 'hidden value' },
    input_schema: { type: 'object', properties: { town_code: { type: 'string' } }, required: ['town_code'] },
    output_pick: ['state', 'inner.degrees'],
    config: { asked_by: [`Kiln weather ${name} in town`], timeout_ms: 1500, max_bytes: 500 },
    ...more,
  });
  await tested.verifyHost(server.url);
  assert.equal((await change(body.id, { enabled: true })).status, 200);
  return body;
};

describe('the actions API', () => {
  it('says that a host is not verified, and disables an action when its host changes', async () => {
    const body = { name: 'door', url_template: `${server.url}/door`, enabled: true };
    const refused = await create(body);
    assert.deepEqual([refused.status, refused.error.code, refused.error.details], [409, 'conflict', 'host_unverified']);
    const made = (await create({ ...body, enabled: false })).body;
    await tested.verifyHost(server.url);
    await change(made.id, { enabled: true });
    const moved = (await change(made.id, { url_template: 'https://93.184.216.34/door' })).body;
    assert.deepEqual([moved.enabled, moved.host_verified], [false, false]);
    await tested.service.db.delete(verifiedHosts);
  });

  it('lists many actions with as few queries as one', async () => {
    const agent = (await tested.callTeam('POST', '/agents', { name: 'With actions' })).body.id;
    const list = async (): Promise<{ listed: any[]; queries: number }> => {
      const recorder = recordQueries(tested.service.db);
      recorder.start();
      const { body } = await tested.api('GET', `/agents/${agent}/actions`);
      return { listed: body.data, queries: recorder.stop().length };
    };
    const add = (name: string, host: string) =>
      tested.api('POST', `/agents/${agent}/actions`, { name, url_template: `https://${host}/${name}` });
    await add('one', '93.184.216.34');
    const { queries } = await list();
    for (const name of ['two', 'three', 'four']) await add(name, '93.184.216.35');
    const verifiedAt = new Date(tested.clock.now);
    await tested.service.db.insert(verifiedHosts).values({ agentId: agent, host: '93.184.216.35', verifiedAt });
    const all = await list();
    assert.equal(all.queries, queries);
    assert.deepEqual(Object.fromEntries(all.listed.map(({ name, host_verified }) => [name, host_verified])), {
      one: false,
      two: true,
      three: true,
      four: true,
    });
    await tested.service.db.delete(verifiedHosts);
  });
});

describe('the service, for an action call', () => {
  it('fills in the URL template, sends the headers, and returns the picked values', async () => {
    const action = await weather('alpha', { data_access: 'visitor' });
    const { body } = await tested.chat('Kiln weather alpha in town MCT-7/../x', { key });
    assert.deepEqual((body.message!.blocks![0] as StatusCardBlock).rows, [
      { label: 'state', value: 'sunny' },
      { label: 'degrees', value: '31' },
    ]);
    const [request] = server.requests;
    assert.deepEqual([request!.url, request!.headers['x-api-key']], ['/weather/MCT-7?units=metric', 'hidden value']);
    const sent = JSON.parse(request!.body);
    assert.deepEqual([sent.town_code, sent.conversation_id], ['MCT-7', body.conversation_id]);
    const [call] = await callsOf(action.id);
    assert.equal(call.conversation_id, body.conversation_id);
  });

  it('shows the beginning of a long value', async () => {
    const usual = respond;
    respond = (response) => void response.end(JSON.stringify({ state: 'x'.repeat(400) }));
    await weather('theta');
    const { body } = await tested.chat('Kiln weather theta in town MCT-7', { key });
    respond = usual;
    const [row] = (body.message!.blocks![0] as StatusCardBlock).rows!;
    assert.equal(row!.value, 'x'.repeat(200));
  });

  const page = (response: ServerResponse) => void response.end('<html>');
  for (const [reason, method, text, how] of [
    ['bad_json', 'POST', /do not repeat it/, page],
    ['bad_json', 'DELETE', /do not repeat it/, page],
    ['bad_json', 'GET', /try again/, page],
    [
      'too_large',
      'POST',
      /do not repeat it/,
      (response: ServerResponse) => void response.end(`{"state":"${'x'.repeat(600)}"}`),
    ],
    ['timeout', 'POST', /do not repeat it/, () => {}],
    ['unreachable', 'POST', /do not repeat it/, (response: ServerResponse) => void response.destroy()],
    ['http_status', 'POST', /try again/, (response: ServerResponse) => void response.writeHead(500).end()],
  ] as const) {
    it(`records a ${method} that ends with ${reason} as failed, and asks to repeat only what did not happen`, async () => {
      const usual = respond;
      respond = how;
      const name = `${method}_${reason}`.toLowerCase();
      const action = await weather(name, { method });
      const { body } = await tested.chat(`Kiln weather ${name} in town MCT-7`, { key });
      respond = usual;
      assert.equal(body.outcome, 'tool_failed');
      assert.match(body.message!.content, text);
      const [call] = await callsOf(action.id, '?failures_only=true');
      assert.deepEqual([call.outcome, call.reason], ['failed', reason]);
    });
  }

  const isUnknown = /could not find out whether it worked/;
  for (const [what, name, more, earlier, requests, calls, reply] of [
    ['sends the request of a turn once', 'iota', { method: 'POST' }, 0, 1, 1, isUnknown],
    ['sends the last request of a conversation once', 'omicron', { method: 'POST' }, 19, 1, 1, isUnknown],
    ['asks the team once', 'kappa', { requires_approval: true }, 0, 0, 1, /passed your request to the team/],
    ['reads again', 'lambda', { method: 'GET' }, 0, 2, 2, /Done/],
  ] as const) {
    it(`${what} when the call is repeated with its Idempotency-Key, because its reply could not be stored`, async () => {
      const action = await weather(name, more);
      const { conversation_id } = (await tested.chat('Hello', { key })).body;
      const call = { actionId: action.id, conversationId: conversation_id, outcome: 'worked' as const };
      for (let each = 0; each < earlier; each++)
        await tested.add(actionCalls, { ...call, id: `earlier_${each}`, at: new Date(tested.clock.now) });
      const headers = { 'idempotency-key': `weather ${name}` };
      const ask = () => tested.chat(`Kiln weather ${name} in town MCT-7`, { key, conversation_id, headers });
      const accept = await rejectChanges(tested.service.db, 'insert on messages', `new.role = 'assistant'`);
      assert.equal((await ask()).status, 500);
      await accept();
      const { body } = await ask();
      assert.equal(server.requests.length, requests);
      assert.equal((await callsOf(action.id)).length, earlier + calls);
      assert.match(body.message!.content, reply);
    });
  }

  it('refuses a call to a host that is no longer verified', async () => {
    const action = await weather('beta');
    await tested.service.db.delete(verifiedHosts);
    await tested.chat('Kiln weather beta in town MCT-7', { key });
    assert.deepEqual(server.requests, []);
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
    assert.deepEqual(server.requests, []);
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

const callAction = async (change: Partial<StoredAction>, args: JsonObject = {}) => {
  const [action] = await tested.rows(actions, eq(actions.name, 'get_order_status'));
  const encryption = createEncryption('for this test');
  const { latencyMs: _, ...outcome } = await callHttp(
    { ...action!, ...change },
    args,
    {},
    { encryption, allowLoopback: true },
  );
  return outcome;
};

describe('the result of an action', () => {
  const usual = respond;
  afterEach(() => void (respond = usual));

  for (const [what, status, body, result] of [
    ['the JSON object of a response', 200, '{"id":7}', { id: 7 }],
    ['empty for a response without a body', 204, '', {}],
    ['empty for an empty body', 201, '\r\n', {}],
    ['read without a byte order mark', 200, '\ufeff{"id":7}', { id: 7 }],
    ['empty for a byte order mark alone', 200, '\ufeff', {}],
    ['an object that contains an array', 200, '[1,2]', { result: [1, 2] }],
    ['an object that contains a number', 200, '7', { result: 7 }],
    ['an object that contains a text', 200, '"ok"', { result: 'ok' }],
    ['an object that contains null', 200, 'null', { result: null }],
  ] as const) {
    it(`is ${what}`, async () => {
      respond = (response) => void response.writeHead(status).end(body);
      const outcome = await callAction({ method: 'POST', urlTemplate: `${server.url}/x`, outputPick: [] });
      assert.deepEqual(outcome, { ok: true, result });
    });
  }

  it('has the picked values of an array', async () => {
    respond = (response) => void response.end('[{"id":7}]');
    const outcome = await callAction({ urlTemplate: `${server.url}/x`, outputPick: ['result.0.id'] });
    assert.deepEqual(outcome, { ok: true, result: { id: 7 } });
  });
});

describe('an input in the URL of an action', () => {
  const received = () => server.requests.map(({ url }) => url);
  const send = (town_code: unknown) =>
    callAction({ method: 'GET', urlTemplate: `${server.url}/weather/{town_code}/now` }, { town_code });

  it('is not sent when it is an object or would change the path', async () => {
    for (const value of ['.', '..', ['..'], {}, [{}], [[1]], [null]]) {
      assert.deepEqual(await send(value), { ok: false, reason: 'invalid_input', detail: { inputs: ['town_code'] } });
    }
    assert.deepEqual(received(), []);
  });

  for (const [value, sent] of [
    ['../x', '..%2Fx'],
    ['%2e%2e', '%252e%252e'],
    ['a.b', 'a.b'],
    ['...', '...'],
    ['?#', '%3F%23'],
    ['\ud83d', '%EF%BF%BD'],
    [true, 'true'],
    [false, 'false'],
    [-1.5, '-1.5'],
    [['a,b', 2, true], 'a%2Cb,2,true'],
    [[], ''],
    [null, ''],
    [undefined, ''],
  ] as const) {
    it(`is encoded: ${JSON.stringify(value)}`, async () => {
      await send(value);
      assert.deepEqual(received(), [`/weather/${sent}/now`]);
    });
  }
});

describe('the config and the input schema of an action', () => {
  it('are checked again when only the kind changes', async () => {
    const { body } = await create({ name: 'changing', kind: 'http', config: { fields: 5 } });
    const { status, error } = await change(body.id, { kind: 'collect_data' });
    assert.deepEqual([status, (error.details as { field: string }[])[0]!.field], [422, 'config.fields']);
    assert.equal((await change(body.id, { kind: 'collect_data', config: { title: 'Form' } })).status, 200);
  });

  it('get the optional members of a form’s fields', async () => {
    const config = { title: 'Survey', fields: [{ key: 'mood', label_en: 'Mood' }], asked_by: ['Open the mood survey'] };
    const { body } = await create({ name: 'mood', kind: 'collect_data', enabled: true, config });
    const field = { key: 'mood', label_en: 'Mood', label_ar: '', kind: 'text', options: [], required: false };
    assert.deepEqual(body.config.fields, [field]);
    const asked = await tested.chat('Open the mood survey', { key });
    const [form] = asked.body.message!.blocks as FormBlock[];
    assert.deepEqual([form!.title, form!.fields], ['Survey', [field]]);
    const { conversation_id } = asked.body;
    assert.equal((await tested.chat('Mood: Calm', { key, conversation_id })).body.outcome, 'answered');
    await tested.api('DELETE', `${path}/${body.id}`);
  });

  for (const [kind, config] of [
    ['collect_data', {}],
    ['collect_data', { fields: [] }],
    ['collect_data', { fields: [], lead: true }],
    ['integration', {}],
    ['integration', { settings: { title: 'Class', weekly: 5 } }],
    ['integration', { settings: { title: { en: 'A', ar: 'B' }, minutes: 60, weekly: [['mon', '25:99']] } }],
  ] as const) {
    it(`keep an action of the kind ${kind} unused with ${JSON.stringify(config)}`, async () => {
      const wording = 'Arrange the alabaster ceremony';
      const { body } = await create({ kind, enabled: true, config: { ...config, asked_by: [wording] } });
      const asked = await tested.chat(wording, { key });
      assert.deepEqual([asked.status, asked.body.outcome], [200, 'refused']);
      await tested.api('DELETE', `${path}/${body.id}`);
    });
  }
});
