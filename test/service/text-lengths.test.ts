import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { tickets } from '../../service/db/schema.ts';
import { useTestService } from './support.ts';

const tested = useTestService();
const key = tested.secretKey;
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
      'an attribute',
      200,
      (note: string) => tested.api('POST', '/contacts', { external_id: 'e', attributes: { note } }),
    ],
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
