import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FormBlock } from '../../contract/wire.ts';
import { useTestService } from './support.ts';

const tested = useTestService();
const key = tested.secretKey;
const path = '/agents/agt_palm_and_clay/actions';

const create = (body: object) => tested.api('POST', path, body);
const change = (id: string, body: object) => tested.api('PATCH', `${path}/${id}`, body);

describe('the config and the input schema of an action', () => {
  for (const [what, body] of [
    ['fields that are no list', { kind: 'collect_data', config: { fields: 'name' } }],
    ['a field without a key', { kind: 'collect_data', config: { fields: [{ label_en: 'Name' }] } }],
    ['a timeout that is no number', { kind: 'client_tool', config: { timeout_ms: 'soon' } }],
    ['a negative timeout', { kind: 'client_tool', config: { timeout_ms: -5 } }],
    ['a timeout of years', { kind: 'client_tool', config: { timeout_ms: 1e15 } }],
    ['a timeout with a fraction of a millisecond', { kind: 'http', config: { timeout_ms: 1500.5 } }],
    ['a fraction of a byte', { kind: 'http', config: { max_bytes: 0.5 } }],
    ['settings that are no object', { kind: 'integration', config: { settings: 5 } }],
    ['100,000 wordings', { config: { asked_by: Array(100_000).fill('x') } }],
    ['a property that is null', { input_schema: { properties: { a: null } } }],
    ['a required input that is no list', { input_schema: { required: 'a' } }],
  ] as const) {
    it(`are rejected with ${what}`, async () => assert.equal((await create(body)).status, 422));
  }

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
