/** Statements of the contract about the identity of visitors. */
import assert from 'node:assert/strict';
import { UnsecuredJWT } from 'jose';
import { hour, minute, type StatementContext } from './context.ts';
import { about, assertError, inSection, once, type Statement } from './statement.ts';

const section = inSection('Visitor identity');
const chatRules = inSection('Chat');
const limits = inSection('Limits');

/** An agent with an identity secret. */
const verifying = once(async (context) => {
  const agent = await context.someAgent();
  const secret = await context.identitySecret(agent);
  return { agent, secret };
});

const say = async (context: StatementContext, contact: object, more: object = {}) =>
  context.chat('Hello', { to: (await verifying(context)).agent, contact, ...more });

const seconds = async (context: StatementContext) => Math.floor((await context.now()) / 1000);

const sendToken = async (context: StatementContext, claims: object, alg = 'HS256') => {
  const { secret } = await verifying(context);
  return say(context, { token: await context.identityToken(secret, claims, alg) });
};

const contactOf = async (context: StatementContext, externalId: string) =>
  (await context.get(`/contacts?external_id=${externalId}`)).data[0];

const rejectsToken = (sentence: string, claims: (now: number) => object, in_ = section) =>
  in_(sentence, async (context) => {
    const sub = context.unique('refused-');
    const response = await sendToken(context, { sub, ...claims(await seconds(context)) });
    assertError(response, 401, 'identity_rejected');
    assert.equal(await contactOf(context, sub), undefined, 'nothing of the claim is stored');
  });

const tokens: Statement[] = [
  section('A token that the agent’s secret signed with HS256 proves the user id in sub.', async (context) => {
    const sub = context.unique('proven-');
    assert.equal((await sendToken(context, { sub })).status, 200);
    const contact = await contactOf(context, sub);
    assert.deepEqual([contact.external_id, contact.verified], [sub, true]);
  }),
  ...(
    [
      ['email', 'x@token.example'],
      ['phone', '+968 9777 0001'],
      ['name', 'Token'],
      ['attributes', { plan: 'gold', visits: 3 }],
    ] as const
  ).map(([claim, value]) =>
    section(`The optional claim ${claim} of a token becomes a property of the contact.`, async (context) => {
      const sub = context.unique('claims-');
      const sent = claim === 'email' ? `${sub}@token.example` : value;
      assert.equal((await sendToken(context, { sub, [claim]: sent })).status, 200);
      assert.deepEqual((await contactOf(context, sub))[claim], sent);
    }),
  ),
  section('A token can have the optional claim iat.', async (context) => {
    const iat = await seconds(context);
    assert.equal((await sendToken(context, { sub: context.unique('iat-'), iat })).status, 200);
  }),
  rejectsToken('A token without sub is rejected.', () => ({ sub: undefined })),
  rejectsToken('A token without exp is rejected.', () => ({ exp: undefined })),
  rejectsToken('A token that expired more than 60 seconds ago is rejected.', (now) => ({ exp: now - 61 })),
  rejectsToken('A token that is valid for more than 24 hours is rejected.', (now) => ({ exp: now + 86_400 + 60 })),
  rejectsToken('A token whose attributes are not flat is rejected.', () => ({ attributes: { a: { b: 1 } } })),
  section('A token that expired less than 60 seconds ago is accepted.', async (context) => {
    const exp = (await seconds(context)) - 50;
    assert.equal((await sendToken(context, { sub: context.unique('late-'), exp })).status, 200);
  }),
  section('A token that is valid for nearly 24 hours is accepted.', async (context) => {
    const exp = (await seconds(context)) + 86_400 - 60;
    assert.equal((await sendToken(context, { sub: context.unique('long-'), exp })).status, 200);
  }),
  section('A token with another algorithm is rejected.', async (context) => {
    assertError(await sendToken(context, { sub: 'u' }, 'HS512'), 401, 'identity_rejected');
  }),
  section('A token that names no algorithm is rejected.', async (context) => {
    const exp = (await seconds(context)) + 60;
    const token = new UnsecuredJWT({ sub: 'u', exp }).encode();
    assertError(await say(context, { token }), 401, 'identity_rejected');
  }),
  section('The algorithm of a token is checked before any key is used.', async (context) => {
    const chat = (token: string) => context.chat('Hello', { to: context.world.unreadableAgentId, contact: { token } });
    const exp = (await seconds(context)) + 60;
    assertError(await chat(new UnsecuredJWT({ sub: 'u', exp }).encode()), 401, 'identity_rejected');
    const other = await context.identityToken('x', { sub: 'u' }, 'HS512');
    assertError(await chat(other), 401, 'identity_rejected');
    assertError(await chat(await context.identityToken('x', { sub: 'u' })), 503, 'identity_unavailable');
  }),
  section('A token that another secret signed is rejected.', async (context) => {
    const token = await context.identityToken('another secret', { sub: 'u' });
    assertError(await say(context, { token }), 401, 'identity_rejected');
  }),
  section('The secret of one agent proves nothing to another agent.', async (context) => {
    const other = await context.makeAgent();
    await context.identitySecret(other);
    const { secret } = await verifying(context);
    const token = await context.identityToken(secret, { sub: 'u' });
    assertError(await context.chat('Hello', { to: other, contact: { token } }), 401, 'identity_rejected');
  }),
];

const attributes = (count: number, length: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`key_${at}`, 'x'.repeat(length)]));
const attributeLimits: Statement[] = [
  limits('An identity token can have 20 attributes of 200 characters.', async (context) => {
    const claims = { sub: context.unique('many-'), attributes: attributes(20, 200) };
    assert.equal((await sendToken(context, claims)).status, 200);
  }),
  rejectsToken('An identity token cannot have 21 attributes.', () => ({ attributes: attributes(21, 1) }), limits),
  rejectsToken(
    'An identity token cannot have an attribute of 201 characters.',
    () => ({ attributes: attributes(1, 201) }),
    limits,
  ),
];

const hashes: Statement[] = [
  section('A user_id with its HMAC-SHA256 in lower-case hexadecimal proves the user id.', async (context) => {
    const user_id = context.unique('hash-');
    const { secret } = await verifying(context);
    const { status } = await say(context, { user_id, user_hash: context.identityHash(secret, user_id) });
    assert.equal(status, 200);
    assert.equal((await contactOf(context, user_id)).verified, true);
  }),
  ...about(section, verifying, {
    'A user hash in upper case is rejected.': async ({ secret }, context) => {
      const user_hash = context.identityHash(secret, 'u').toUpperCase();
      assertError(await say(context, { user_id: 'u', user_hash }), 401, 'identity_rejected');
    },
    'The hash of another user id is rejected, and nothing of the claim is stored.': async ({ secret }, context) => {
      const user_id = context.unique('stolen-');
      const user_hash = context.identityHash(secret, 'somebody');
      assertError(await say(context, { user_id, user_hash, name: 'Eve' }), 401, 'identity_rejected');
      assert.equal(await contactOf(context, user_id), undefined);
    },
    'An e-mail address beside a hash does not find an existing contact.': async ({ secret }, context) => {
      const email = `${context.unique('victim-')}@mail.example`;
      const victim = (await context.call('POST', '/contacts', { body: { email, name: 'Victim' } })).body;
      const user_id = context.unique('claims-');
      await say(context, { user_id, user_hash: context.identityHash(secret, user_id), email, name: 'Eve' });
      const contact = await contactOf(context, user_id);
      assert.notEqual(contact.id, victim.id);
      assert.deepEqual([contact.email, contact.name], ['', '']);
      assert.equal((await context.get(`/contacts/${victim.id}`)).name, 'Victim');
    },
    'A name beside a hash is shown to the team.': async ({ agent, secret }, context) => {
      const user_id = context.unique('shown-');
      const contact = { user_id, user_hash: context.identityHash(secret, user_id), name: 'Shown to the team' };
      await context.chat('I want to talk to a human', { to: agent, contact });
      const { tickets } = await context.team('GET', '/inbox');
      assert.equal(tickets[0].claim.name, 'Shown to the team');
    },
  }),
];

const rotations = once(async (context) => {
  const agent = await context.someAgent();
  const rotate = async (end_previous = false): Promise<string> =>
    (await context.team('POST', `/agents/${agent}/identity-secret`, { end_previous })).secret;
  const proves = async (secret: string) => {
    const token = await context.identityToken(secret, { sub: 'rotating' });
    return (await context.chat('Hello', { to: agent, contact: { token } })).status;
  };
  const first = await rotate();
  const second = await rotate();
  const early = [await proves(first), await proves(second)];
  await context.advance(24 * hour - minute);
  const late = await proves(first);
  await context.advance(2 * minute);
  const tooLate = [await proves(first), await proves(second)];
  const third = await rotate(true);
  return { early, late, tooLate, ended: [await proves(second), await proves(third)] };
});

const secrets: Statement[] = [
  ...about(section, rotations, {
    'After a rotation, the previous secret and the new one verify.': ({ early }) => assert.deepEqual(early, [200, 200]),
    'The previous secret verifies for 24 hours.': ({ late }) => assert.equal(late, 200),
    'After 24 hours, the previous secret no longer verifies.': ({ tooLate }) => assert.deepEqual(tooLate, [401, 200]),
    'A rotation can end the previous secret at once.': ({ ended }) => assert.deepEqual(ended, [401, 200]),
  }),
  section('While an agent has no secret, a claim is kept unverified, and nothing trusts it.', async (context) => {
    const agent = await context.makeAgent();
    const claim = { user_id: context.unique('unproven-'), name: 'Unproven' };
    const token = await context.identityToken('any', { sub: claim.user_id, name: claim.name });
    for (const contact of [{ ...claim, user_hash: 'nothing' }, { token }]) {
      const { status, body } = await context.chat('I want to talk to a human', { to: agent, contact });
      assert.equal(status, 200);
      const { tickets } = await context.team('GET', '/inbox');
      const ticket = tickets.find((each: any) => each.conversation_id === body.conversation_id);
      assert.deepEqual([ticket.claim.name, ticket.contact_id, ticket.contact], ['Unproven', null, null]);
    }
    assert.equal((await context.chat('Hello', { to: agent, contact: { token: 'a.b.c' } })).status, 200);
    assert.equal(await contactOf(context, claim.user_id), undefined);
  }),
];

/** A verified contact returns after the first conversation ended, to the same agent and to another one. */
const remembered = once(async (context) => {
  const [agent, other] = [await context.makeAgent(), await context.makeAgent()];
  const secret = await context.identitySecret(agent);
  const otherSecret = await context.identitySecret(other);
  const sub = context.unique('remembered-');
  const greet = async (to: string, by: string, text = 'Hello') => {
    const contact = { token: await context.identityToken(by, { sub, name: 'Aisha' }) };
    return (await context.chat(text, { to, contact })).body;
  };
  const first = await greet(agent, secret, 'Where can I park my car?');
  const meanwhile = await greet(agent, secret);
  await context.team('POST', `/conversations/${first.conversation_id}/close`, {});
  const second = await greet(agent, secret);
  const atOther = await greet(other, otherSecret);
  const { summary } = await context.get(`/conversations/${first.conversation_id}`);
  return { meanwhile, second, atOther, summary };
});

const memory: Statement[] = [
  ...about(section, remembered, {
    'A conversation of a verified contact has a short summary when it ends.': ({ summary }) =>
      assert.match(summary, /Where can I park my car/),
    'The agent reads the notes of a verified contact at the start of the next conversation.': ({
      meanwhile,
      second,
    }) => {
      assert.doesNotMatch(meanwhile.message.content, /Welcome back/);
      assert.match(second.message.content, /Welcome back, Aisha/);
    },
    'Another agent does not have the notes of a verified contact.': ({ atOther }) =>
      assert.doesNotMatch(atOther.message.content, /Welcome back/),
  }),
];

const mismatch = once(async (context) => {
  const { secret } = await verifying(context);
  const proof = async (sub: string) => ({ token: await context.identityToken(secret, { sub }) });
  const owner = context.unique('owner-');
  const first = await say(context, await proof(owner));
  const { conversation_id } = first.body;
  const same = await say(context, await proof(owner), { conversation_id });
  const other = await say(context, await proof(context.unique('intruder-')), { conversation_id });
  const { data } = await context.get(`/conversations/${conversation_id}/messages`);
  const own = await say(context, await proof('intruder'));
  return { first, same, other, messages: data.length, own };
});

const chats: Statement[] = [
  chatRules('A contact that does not verify returns 401 identity_rejected.', async (context) => {
    assertError(await say(context, { token: 'a.b.c' }), 401, 'identity_rejected');
  }),
  chatRules('A verified contact is linked to the conversation.', async (context) => {
    const { agent, secret } = await verifying(context);
    const sub = context.unique('linked-');
    const contact = { token: await context.identityToken(secret, { sub }) };
    await context.chat('I want to talk to a human', { to: agent, contact });
    const { data } = await context.get(`/tickets?agent_id=${agent}&limit=1`);
    assert.equal(data[0].contact_id, (await contactOf(context, sub)).id);
  }),
  ...about(chatRules, mismatch, {
    'Another verified contact in a proven conversation returns 409 identity_mismatch.': ({ same, other }) => {
      assert.equal(same.status, 200);
      assertError(other, 409, 'identity_mismatch');
    },
    'After identity_mismatch, no turn was run.': ({ messages }) => assert.equal(messages, 4),
    'After identity_mismatch, a call without conversation_id starts the person’s own conversation.': ({
      first,
      own,
    }) => {
      assert.equal(own.status, 200);
      assert.notEqual(own.body.conversation_id, first.body.conversation_id);
    },
  }),
  chatRules(
    'An identity secret that cannot be read returns 503 identity_unavailable with Retry-After.',
    async (context) => {
      const token = await context.identityToken('any', { sub: 'u' });
      const response = await context.chat('Hello', { to: context.world.unreadableAgentId, contact: { token } });
      assertError(response, 503, 'identity_unavailable');
      assert.ok(Number(response.headers.get('retry-after')) >= 1);
    },
  ),
];

export const identityStatements: Statement[] = [tokens, attributeLimits, hashes, secrets, memory, chats].flat();
