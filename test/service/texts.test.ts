import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readdirSync, readFileSync } from 'node:fs';
import { eq } from 'drizzle-orm';
import { replyAsTeam } from '../../service/chat/messages.ts';
import { maxJsonDepth } from '../../service/core/json-shape.ts';
import { agents, auditEntries, conversations, messages, tickets } from '../../service/db/schema.ts';
import { agentId } from '../../service/seed/business.ts';
import { valuesOf } from '../support/values-of.ts';
import { useTestService } from './support.ts';

const tested = useTestService();
const key = tested.secretKey;

/** Texts that PostgreSQL rejects, and what is stored of them. The last one was cut in the middle of an emoji. */
const unstorable: [name: string, text: string, stored: string][] = [
  ['a NUL character', 'a\0b', 'ab'],
  ['a lone surrogate', `a${'😀'.slice(0, 1)}`, 'a\ufffd'],
  ['the escape of a NUL character as text', String.raw`a\u0000b`, String.raw`a\u0000b`],
];

describe('the database', () => {
  for (const [name, text, stored] of unstorable) {
    it(`stores a text with ${name} in every type of column, and finds it again`, async () => {
      const { db } = tested.service;
      const entry = { workspaceId: 'wsp_palm_and_clay', action: 'test', target: text };
      const detail = { [text]: [text] };
      const [inserted] = await db
        .insert(auditEntries)
        .values({ ...entry, id: `aud_${name}`, detail, createdAt: new Date(tested.clock.now) })
        .returning();
      assert.deepEqual([inserted!.target, inserted!.detail], [stored, { [stored]: [stored] }]);
      const found = await tested.rows(auditEntries, eq(auditEntries.target, text));
      assert.deepEqual(found, [inserted]);
      const [agent] = await db
        .update(agents)
        .set({ allowedOrigins: [text] })
        .returning();
      assert.deepEqual(agent!.allowedOrigins, [stored]);
    });
  }
});

describe('the service, for texts that PostgreSQL rejects', () => {
  it('stores a reply of a model or of the team without the characters', async () => {
    const { db } = tested.service;
    const { body } = await tested.chat('Hello');
    await replyAsTeam({ db, now: () => tested.clock.now }, body.conversation_id, 'a\0b');
    const stored = await tested.rows(messages, eq(messages.actorType, 'owner'));
    assert.deepEqual(valuesOf(stored, 'content'), ['ab']);
  });

  it('stores the claims of an identity token without the characters', async () => {
    const secret = await tested.newIdentitySecret();
    const claims = { name: 'Ai\0sha', email: 'a\0@e.example', phone: '+968\0 1', attributes: { 'x\0': 'y\0' } };
    const token = await tested.identityToken(secret, { sub: 'nul-1', ...claims });
    const { status, body } = await tested.chat('Hello', { contact: { token } });
    assert.equal(status, 200);
    const [conversation] = await tested.rows(conversations, eq(conversations.id, body.conversation_id));
    const contact = (await tested.api('GET', `/contacts/${conversation!.contactId}`)).body;
    assert.deepEqual([contact.name, contact.email, contact.attributes], ['Aisha', 'a@e.example', { x: 'y' }]);
  });

  it('rejects a user id with such characters, which would be stored as another user id', async () => {
    const secret = await tested.newIdentitySecret();
    for (const sub of ['a\0b', 'a\ud83d']) {
      const token = await tested.identityToken(secret, { sub });
      const { status, error } = await tested.chat('Hello', { contact: { token } });
      assert.deepEqual([status, error.code], [401, 'identity_rejected'], JSON.stringify(sub));
    }
  });

  it('accepts a campaign and a form value that are cut in the middle of an emoji', async () => {
    const referer = `https://shop.example/?utm_source=${encodeURIComponent(`${'a'.repeat(499)}😀`)}`;
    assert.equal((await tested.chat('Hello', { headers: { referer } })).status, 200);
    const started = await tested.chat('I want a custom order', { key });
    const text = `Name: ${'a'.repeat(999)}😀\nPhone: 92221000\nWhat to make: Tiles\nHow many: 1`;
    const sent = await tested.chat(text, { key, conversation_id: started.body.conversation_id });
    assert.equal(sent.status, 200);
    const { body } = await tested.api('GET', `/agents/${tested.agentId}/submissions`);
    assert.match(JSON.stringify(body.data[0].data), /a{999}😀/);
  });
});

describe('the service, for JSON that is nested too deeply', () => {
  const nested = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
  const agentPath = `/agents/${agentId}`;
  const bodies: [path: string, body: (value: string) => string][] = [
    [`${agentPath}/actions`, (value) => `{"name":"deep","kind":"client_tool","config":${value}}`],
    [`${agentPath}/actions`, (value) => `{"name":"deep","kind":"client_tool","input_schema":${value}}`],
    [`${agentPath}/chat/tool-results`, (value) => `{"conversation_id":"c","call_id":"c","ok":true,"result":${value}}`],
    [`${agentPath}/chat`, (value) => `{"messages":${value}}`],
    [`${agentPath}/chat`, (value) => `{"messages":"\\u0000","other":${value}}`],
    ['/contacts', (value) => `{"email":"deep@e.example","attributes":${value}}`],
  ];
  for (const [path, body] of bodies) {
    it(`is rejected by POST ${path} with the body ${body('…')}`, async () => {
      for (const levels of [maxJsonDepth + 1, 5000, 50_000]) {
        const { status, error } = await tested.api('POST', path, body(nested(levels)));
        assert.deepEqual([status, error.code], [422, 'validation_error'], String(levels));
      }
    });
  }

  it('is accepted up to the limit', async () => {
    const body = `{"name":"deepest","kind":"client_tool","config":${nested(maxJsonDepth - 1)}}`;
    assert.equal((await tested.api('POST', `${agentPath}/actions`, body)).status, 201);
  });
});

/** One character of the contract, and two code units. */
const emoji = '🏺';
/** What a person sees as one character, and five code points. */
const family = '👩‍👩‍👧';

const files = readdirSync(new URL('../../service/', import.meta.url), { recursive: true, encoding: 'utf8' });
const sources = files.filter((name) => name.endsWith('.ts') && !name.includes('bounded-text'));

describe('the limits of texts', () => {
  it('are never counted in the code units of JavaScript', () => {
    const found = sources.filter((name) => {
      const text = readFileSync(new URL(`../../service/${name}`, import.meta.url), 'utf8');
      return /z\s*\.string\(\)(?:\s*\.(?:trim|min|regex)\([^()]*\))*\s*\.max\(/.test(text);
    });
    assert.deepEqual(found, []);
  });

  for (const [field, limit, send] of [
    ['the name of an agent', 120, (name: string) => tested.api('PATCH', `/agents/${tested.agentId}`, { name })],
    ['the name of a contact', 200, (name: string) => tested.api('POST', '/contacts', { external_id: 'e', name })],
    [
      'the name of a source',
      200,
      (name: string) => tested.api('POST', `/agents/${tested.agentId}/sources`, { type: 'text', name, text: 'x' }),
    ],
  ] as const) {
    it(`are counted in code points: ${field} has ${limit}`, async () => {
      assert.ok((await send(emoji.repeat(limit))).status < 300);
      const { status, error } = await send(emoji.repeat(limit + 1));
      assert.equal(status, 422);
      assert.equal((error.details as { code: string }[])[0]!.code, 'too_big');
    });
  }

  it('are in the OpenAPI document', async () => {
    const document = await (await tested.service.fetch(new Request('http://x/api/v2/openapi.json'))).json();
    assert.equal(document.components.schemas.LeadChange.properties.name.maxLength, 200);
    assert.equal(document.components.schemas.LeadChange.properties.name.type, 'string');
  });

  it('cut the subject of a ticket between the characters that a person sees', async () => {
    const text = `I want to talk to a person ${family.repeat(60)}`;
    await tested.chat('I want to talk to a person', { key });
    const first = await tested.chat(text, { key });
    await tested.chat('I want to talk to a person', { key, conversation_id: first.body.conversation_id });
    const stored = await tested.rows(tickets);
    const subject = stored.map((ticket) => ticket.subject).find((each) => each.includes(family));
    assert.ok(subject !== undefined && text.startsWith(subject) && subject.length < text.length);
    assert.match(subject, new RegExp(`(?:${family})+$`, 'u'));
  });

  it('count the characters of a source as the plan does', async () => {
    const path = await tested.addText(emoji.repeat(50));
    assert.equal((await tested.api('GET', path)).body.extracted_chars, 50);
  });
});
