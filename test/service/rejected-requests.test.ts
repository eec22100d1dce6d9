/** Requests that are rejected because of one field. The statements of the contract have others. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ErrorDetail } from '../../contract/wire.ts';
import { useTestService } from './support.ts';

const tested = useTestService({ development: true });

const item = { question: 'q', answer: 'a' };
const member = { name: 'Ada', email: 'ada@workspace.example', role: 'editor' };
const events = ['lead.created'];

/** For each operation, the bodies with the field that is not valid, and the code of its detail. */
const rejected: Record<string, [what: string, body: object, field: string, code?: string][]> = {
  'POST /agents/AGENT/chat': [
    ['an empty message', { messages: [{ role: 'user', content: '  ' }] }, 'messages.0.content'],
  ],
  'POST /agents/AGENT/actions': [
    ['a name in capitals', { name: 'Check' }, 'name'],
    ['a private address', { url_template: 'https://10.1.2.3/' }, 'url_template'],
    ['a host from an input', { url_template: 'https://{host}/x' }, 'url_template'],
    ['a line break in a header', { headers: { A: 'x\r\nB: y' } }, 'headers'],
    ['fields that are no list', { kind: 'collect_data', config: { fields: 'name' } }, 'config.fields'],
    ['a field without a key', { kind: 'collect_data', config: { fields: [{ label_en: 'Name' }] } }, 'config.fields.0'],
    ['a timeout that is no number', { kind: 'client_tool', config: { timeout_ms: 'soon' } }, 'config.timeout_ms'],
    ['a negative timeout', { kind: 'client_tool', config: { timeout_ms: -5 } }, 'config.timeout_ms'],
    ['a timeout of years', { kind: 'client_tool', config: { timeout_ms: 1e15 } }, 'config.timeout_ms'],
    ['a fraction of a millisecond', { kind: 'http', config: { timeout_ms: 1500.5 } }, 'config.timeout_ms'],
    ['a fraction of a byte', { kind: 'http', config: { max_bytes: 0.5 } }, 'config.max_bytes'],
    ['settings that are no object', { kind: 'integration', config: { settings: 5 } }, 'config.settings'],
    ['100,000 wordings', { config: { asked_by: Array(100_000).fill('x') } }, 'config'],
    ['a property that is null', { input_schema: { properties: { a: null } } }, 'input_schema'],
    ['a required input that is no list', { input_schema: { required: 'a' } }, 'input_schema'],
  ],
  'POST /agents/AGENT/sources': [
    ['a spreadsheet at a private address', { type: 'sheet', url: 'https://192.168.1.1/x.csv' }, 'url', 'url_private'],
  ],
  'POST /agents/AGENT/sources/questions': [
    [
      'a question of 501 characters',
      { name: 'x', items: [{ ...item, question: 'q'.repeat(501) }] },
      'items.0.question',
    ],
    ['an answer of 4,001 characters', { name: 'x', items: [{ ...item, answer: 'a'.repeat(4001) }] }, 'items.0.answer'],
    [
      '21 other wordings',
      { name: 'x', items: [{ ...item, alternatives: Array(21).fill('x') }] },
      'items.0.alternatives',
    ],
    [
      'lost characters',
      { name: 'x', items: [{ ...item, question: 'Caf\ufffd?' }] },
      'items.0.question',
      'bad_encoding',
    ],
  ],
  'POST /contacts': [['an e-mail address that is none', { email: 'aisha' }, 'email']],
  'POST /webhooks': [
    ['a URL with a user name', { url: 'https://user:pass@example.com/', events }, 'url', 'url_userinfo'],
    ['a private address in IPv6', { url: 'https://[::ffff:10.0.0.1]/', events }, 'url', 'url_private'],
    ['a private address as one number', { url: 'https://0x0a000001/', events }, 'url', 'url_private'],
    ['a URL that is none', { url: 'nonsense', events }, 'url', 'url_invalid'],
    ['this machine, unless the service allows it', { url: 'http://127.0.0.1/', events }, 'url', 'url_not_https'],
  ],
  'POST /team/agents': [
    ['an agent without a name', { name: ' ' }, 'name'],
    ['an unknown time zone', { name: 'x', time_zone: 'Mars/Olympus' }, 'time_zone'],
    ['an unknown language', { name: 'x', language: 'latin' }, 'language'],
  ],
  'PATCH /team/agents/AGENT': [['an unknown time zone', { time_zone: 'Mars/Base' }, 'time_zone']],
  'POST /team/agents/AGENT/conversations': [['an unknown channel', { channel: 'fax', text: 'Hello' }, 'channel']],
  'POST /team/members': [
    ['the role of the owner', { ...member, role: 'owner' }, 'role'],
    ['an unknown role', { ...member, role: 'king' }, 'role'],
    ['an address that is none', { ...member, email: 'x' }, 'email'],
  ],
  'POST /team/clock': [
    ['no change', {}, ''],
    ['two changes', { advance_seconds: 1, offset_seconds: 1 }, ''],
    ['seconds as a text', { advance_seconds: 'x' }, ''],
    ['a time that is none', { now: 'soon' }, 'now'],
    ['30,000 years', { offset_seconds: 1e12 }, 'offset_seconds'],
  ],
  'POST /team/faults': [
    ['no fault', { faults: [] }, 'faults'],
    ['a failure without its error', { faults: [{ kind: 'fail' }] }, 'faults.0'],
    ['a failure with the status of a success', { faults: [{ kind: 'fail', status: 200 }] }, 'faults.0'],
    ['a failure with an unknown code', { faults: [{ kind: 'fail', code: 'no_such_code' }] }, 'faults.0'],
    ['a stall without its seconds', { faults: [{ kind: 'stall' }] }, 'faults.0'],
    ['a cut of no call', { faults: [{ kind: 'cut', times: 0 }] }, 'faults.0'],
    ['an unknown fault', { faults: [{ kind: 'burn' }] }, 'faults.0'],
  ],
  'POST /team/keys': [
    [
      'a time that cannot be stored',
      { label: 'New', kind: 'secret', scopes: [], expires_at: '0000-01-01T00:00:00Z' },
      'expires_at',
    ],
  ],
  'PATCH /team/workspace': [
    ['an unknown plan', { plan: 'gold' }, 'plan'],
    ['an address of the owner that is none', { owner: { email: 'nobody' } }, 'owner.email'],
    ['a negative number of days', { conversation_retention_days: -1 }, 'conversation_retention_days'],
    ['a part of a day', { conversation_retention_days: 1.5 }, 'conversation_retention_days'],
    ['more than 100 years', { conversation_retention_days: 36_501 }, 'conversation_retention_days'],
    ['days as a text', { conversation_retention_days: '90' }, 'conversation_retention_days'],
  ],
};

for (const [operation, cases] of Object.entries(rejected)) {
  describe(operation.replace('AGENT', '{agent_id}'), () => {
    const [method, path] = operation.split(' ') as [string, string];
    for (const [what, body, field, code] of cases) {
      it(`rejects ${what}`, async () => {
        const filled = path.replace('AGENT', tested.agentId);
        const { status, error } = filled.startsWith('/team')
          ? await tested.callTeam(method, filled.slice('/team'.length), body)
          : await tested.api(method, filled, body);
        assert.equal(status, 422);
        const [detail] = error.details as ErrorDetail[];
        assert.ok(detail!.field.startsWith(field), `${detail!.field}, not ${field}`);
        if (code !== undefined) assert.equal(detail!.code, code);
      });
    }
  });
}
