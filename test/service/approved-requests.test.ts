import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { decideRequest } from '../../service/actions/approved-requests.ts';
import { actionCalls, actions, contacts, tickets } from '../../service/db/schema.ts';
import { createEncryption } from '../../service/core/encryption.ts';
import { conversationOf } from './scenarios.ts';
import { useServer, useTestService } from './support.ts';

const encryptionKey = 'the encryption key of the requests';
const encryption = createEncryption(encryptionKey);
let whenReceived: () => Promise<void> = async () => {};
const server = useServer((response) => void whenReceived().then(() => response.end('{"state":"done"}')));
const received = () => server.requests.map(({ body }) => JSON.parse(body));
const tested = useTestService({ allowLoopback: true, encryptionKey });
const key = tested.secretKey;
const path = '/agents/agt_palm_and_clay/actions';
beforeEach(() => {
  whenReceived = async () => {};
});

let serial = 0;
const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'omega', 'sigma', 'lambda', 'kappa', 'theta'];

const createAction = async (word: string, dataAccess: string) => {
  await tested.verifyHost(server.url);
  const { body } = await tested.api('POST', path, {
    name: `refund_${word}`,
    kind: 'http',
    url_template: `${server.url}/refund`,
    input_schema: { type: 'object', properties: { order_code: { type: 'string' } }, required: ['order_code'] },
    config: { asked_by: [`Refund the kettle ${word}`] },
    data_access: dataAccess,
    requires_approval: true,
    enabled: true,
  });
  return body;
};

/** Has a verified visitor request a call that the team has to approve, and returns the waiting call. */
const requestCall = async (dataAccess: string) => {
  const word = words[serial++]!;
  const action = await createAction(word, dataAccess);
  const email = `${word}@r.example`;
  const { body: contact } = await tested.api('POST', '/contacts', { external_id: word, email });
  const conversation_id = await conversationOf(tested, contact.id);
  await tested.chat(`Refund the kettle ${word} for KT-77`, { key, conversation_id });
  const [call] = await tested.rows(actionCalls, eq(actionCalls.actionId, action.id));
  assert.equal(call?.outcome, 'waiting');
  const [stored] = await tested.rows(contacts, eq(contacts.id, contact.id));
  return { id: call.id, conversation_id, contact: stored! };
};

it('a request for approval in the first message opens a ticket with the contact and the time of the message', async () => {
  await createAction('first', 'none');
  const token = await tested.identityToken(await tested.newIdentitySecret(), { sub: 'mona', email: 'mona@r.example' });
  const { body } = await tested.chat('Refund the kettle first for KT-77', { key, contact: { token } });
  const [ticket] = await tested.rows(tickets, eq(tickets.conversationId, body.conversation_id));
  const [contact] = await tested.rows(contacts, eq(contacts.externalId, 'mona'));
  assert.equal(ticket!.contactId, contact!.id);
  assert.equal(ticket!.lastCustomerMessageAt?.getTime(), tested.clock.now);
});

const context = () => ({
  db: tested.service.db,
  now: () => tested.clock.now,
  encryption,
  allowLoopback: true,
});
const approve = (id: string) => decideRequest(context(), id, { memberId: 'mem_salma', approve: true });
const callOf = async (id: string) => {
  const [call] = await tested.rows(actionCalls, eq(actionCalls.id, id));
  return call!;
};

/** Approves a call as a process does that dies before it marks the request as started. */
const approveAndDie = async (id: string): Promise<void> => {
  const died = () => {
    throw new Error('The process died.');
  };
  await assert.rejects(
    decideRequest({ ...context(), encryption: { ...encryption, decrypt: died } }, id, {
      memberId: 'mem_salma',
      approve: true,
    }),
    /died/,
  );
};

describe('the http request of an approved action call', () => {
  for (const [access, content] of [
    ['contact', 'the conversation and the contact'],
    ['visitor', 'the conversation, and not the contact'],
    ['none', 'only its inputs'],
  ] as const) {
    it(`contains ${content} when the access of the action is ${access}`, async () => {
      const { id, conversation_id, contact } = await requestCall(access);
      assert.equal((await approve(id)).outcome, 'worked');
      const { externalId: external_id, name, email, phone } = contact;
      const visitor = { conversation_id, language: 'en' };
      const sent = { contact: { ...visitor, contact: { external_id, name, email, phone } }, visitor, none: {} };
      assert.deepEqual(received(), [{ order_code: 'KT-77', ...sent[access] }]);
    });
  }

  it('is marked as started before it is sent, and no longer has its inputs', async () => {
    const { id } = await requestCall('none');
    let before: Awaited<ReturnType<typeof callOf>> | undefined;
    whenReceived = async () => {
      before = await callOf(id);
    };
    await approve(id);
    assert.deepEqual([before?.outcome, before?.encryptedArguments], ['approved', null]);
    assert.equal(before?.startedAt?.getTime(), tested.clock.now);
  });

  it('is sent once after a crash between the approval and the request', async () => {
    const { id } = await requestCall('visitor');
    await approveAndDie(id);
    assert.deepEqual([(await callOf(id)).outcome, server.requests.length], ['approved', 0]);
    tested.clock.now += 6000;
    await tested.service.work();
    assert.deepEqual([(await callOf(id)).outcome, server.requests.length], ['worked', 1]);
    tested.clock.now += 120_000;
    await tested.service.work();
    assert.equal(server.requests.length, 1);
  });

  it('fails and is never sent again after a crash between the request and its result', async () => {
    const { id } = await requestCall('none');
    await approveAndDie(id);
    await tested.set(actionCalls, { startedAt: new Date(tested.clock.now) }, eq(actionCalls.id, id));
    tested.clock.now += 6000;
    await tested.service.work();
    assert.equal((await callOf(id)).outcome, 'approved', 'another process may still wait for the result');
    tested.clock.now += 60_000;
    await tested.service.work();
    const { outcome, result } = await callOf(id);
    assert.deepEqual([outcome, result?.['reason'], server.requests.length], ['failed', 'interrupted', 0]);
  });

  it('is not sent when the URL of the action was changed to a host that is not verified', async () => {
    const { id } = await requestCall('contact');
    const { actionId } = await callOf(id);
    const url_template = server.url.replace('127.0.0.1', 'localhost');
    assert.equal((await tested.api('PATCH', `${path}/${actionId}`, { url_template })).status, 200);
    const { outcome, result, startedAt, encryptedArguments } = await approve(id);
    assert.deepEqual([outcome, result?.['reason'], startedAt], ['failed', 'host_unverified', null]);
    assert.equal(encryptedArguments, null);
    assert.deepEqual(received(), []);
  });

  it('fails at once when its inputs cannot be decrypted, and when the headers of the action cannot', async () => {
    const [withInputs, withHeaders] = [await requestCall('none'), await requestCall('none')];
    await tested.set(actionCalls, { encryptedArguments: 'garbage' }, eq(actionCalls.id, withInputs.id));
    const { actionId } = await callOf(withHeaders.id);
    await tested.set(actions, { encryptedHeaders: 'garbage' }, eq(actions.id, actionId));
    for (const { id } of [withInputs, withHeaders]) {
      const { outcome, result, encryptedArguments } = await approve(id);
      assert.deepEqual([outcome, result?.['reason'], encryptedArguments], ['failed', 'internal_error', null]);
    }
    assert.deepEqual(received(), []);
  });

  it('ends as failed when it is given up, because it fails each time', async () => {
    const { id } = await requestCall('none');
    const encryptedArguments = encryption.encrypt('no JSON');
    await tested.set(actionCalls, { encryptedArguments }, eq(actionCalls.id, id));
    await approveAndDie(id);
    for (const minutes of [1, 1, 5, 30, 120]) {
      assert.equal((await callOf(id)).outcome, 'approved');
      tested.clock.now += minutes * 60_000;
      await tested.service.work();
    }
    const { outcome, result, ...call } = await callOf(id);
    assert.deepEqual([outcome, result?.['reason'], call.encryptedArguments], ['failed', 'internal_error', null]);
    assert.deepEqual(received(), []);
  });
});
