import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeReport, explain } from '../../src/products/doctor/doctor.ts';
import { sentences as ar } from '../../src/products/doctor/ar.ts';
import { diagnose, type CheckName } from '../../src/products/doctor/diagnose.ts';
import { sentences as en } from '../../src/products/doctor/en.ts';
import type { Evidence } from '../../src/products/doctor/evidence.ts';
import { missingSource } from '../../src/products/doctor/policy.ts';
import type { ProbeResult } from '../../src/products/doctor/probes.ts';
import { valuesOf } from '../support/values-of.ts';

const answered = (status: number, code: string | null): ProbeResult => ({ type: 'response', status, code });
const failed: ProbeResult = { type: 'failed' };

/** The evidence of a correct installation, with the changes of a test. */
const evidence = (changed: Partial<Evidence> = {}): Evidence => ({
  configuration: { baseUrl: 'https://api.example/api/v2', publishableKey: 'svc_pk_x', agentId: 'agt_1' },
  page: new URL('https://shop.example/mugs'),
  isOnline: true,
  isMixed: false,
  lacking: null,
  canStore: true,
  languages: [],
  missingLanguage: null,
  hasChat: true,
  invalidAttributes: [],
  invalidProperties: [],
  me: answered(403, 'secret_key_required'),
  withoutMessage: answered(422, 'validation_error'),
  continued: answered(404, 'conversation_not_found'),
  question: null,
  isReached: null,
  ...changed,
});

const both = (reply: ProbeResult) => ({ me: reply, withoutMessage: reply, continued: null });

const codes = (changed: Partial<Evidence>) =>
  Object.fromEntries(diagnose(evidence(changed)).map(({ check, state, code }) => [check, `${state} ${code}`]));

describe('The findings of the doctor', () => {
  it('report no problem for a correct installation, and leave only the reply to a question unknown', () => {
    assert.deepEqual(codes({}), {
      settings: 'ok settings_ok',
      transport: 'ok transport_ok',
      policy: 'ok policy_ok',
      service: 'ok service_ok',
      origin: 'ok origin_ok',
      key: 'ok key_ok',
      agent: 'unknown agent_not_asked',
      storage: 'ok storage_ok',
    });
  });

  const cases: [name: string, changed: Partial<Evidence>, check: CheckName, expected: string][] = [
    ['a question that was answered', { question: answered(200, null) }, 'agent', 'ok agent_ok'],
    ['a question that was not', { question: failed }, 'agent', 'problem question_failed'],
    ['a question that failed', { question: answered(500, 'internal_error') }, 'agent', 'problem question_failed'],
    ['a paused agent', { continued: answered(409, 'agent_unavailable') }, 'agent', 'problem agent_paused'],
    ['an unknown agent', { continued: answered(404, 'not_found') }, 'agent', 'problem agent_unknown'],
    ['a revoked key', both(answered(401, 'invalid_key')), 'key', 'problem invalid_key'],
    ['an expired key', both(answered(401, 'expired_key')), 'key', 'problem expired_key'],
    ['a key without an owner', both(answered(401, 'key_maker_left')), 'key', 'problem key_maker_left'],
    ['no scope', { withoutMessage: answered(403, 'insufficient_scope') }, 'key', 'problem insufficient_scope'],
    ['a small role', { withoutMessage: answered(403, 'maker_role_limit') }, 'key', 'problem maker_role_limit'],
    ['a plan without an API', both(answered(403, 'plan_required')), 'key', 'problem plan_required'],
    ['too many calls', both(answered(429, 'rate_limited')), 'key', 'unknown rate_limited'],
    ['a refused origin', { ...both(failed), isReached: true }, 'origin', 'problem origin_rejected'],
    [
      'an origin that may ask, where /me is for servers alone',
      { me: failed, isReached: true },
      'origin',
      'ok origin_ok',
    ],
    ['a page of one’s own computer', { page: new URL('http://localhost:3000/') }, 'origin', 'ok origin_local'],
    ['a file', { page: new URL('file:///page.html') }, 'origin', 'ok origin_local'],
    ['an answer that may not be read', { ...both(failed), isReached: true }, 'service', 'unknown service_unread'],
    ['the example address of the docs', { ...both(failed), isReached: false }, 'service', 'problem base_url_example'],
    [
      'an outage',
      {
        ...both(failed),
        isReached: false,
        configuration: { baseUrl: 'https://api.shop.test/api/v2', publishableKey: 'svc_pk_x', agentId: 'agt_1' },
      },
      'service',
      'problem unreachable',
    ],
    ['being offline', { ...both(failed), isReached: false, isOnline: false }, 'service', 'problem offline'],
    ['a website', both(answered(200, null)), 'service', 'problem wrong_address'],
    ['a website’s 404', both(answered(404, null)), 'service', 'problem wrong_address'],
    ['a missing prefix', both(answered(404, 'not_found')), 'service', 'problem prefix_wrong'],
    ['a redirect', both({ type: 'redirected' }), 'service', 'problem redirected'],
    ['a proxy’s 502', both(answered(502, null)), 'service', 'problem service_failing'],
    ['a fault of the service', both(answered(500, 'internal_error')), 'service', 'problem service_failing'],
    ['mixed content', { isMixed: true, me: null, withoutMessage: null }, 'transport', 'problem mixed_content'],
    ['no storage', { canStore: false }, 'storage', 'problem storage_blocked'],
    ['complete languages', { languages: [{ tag: 'fr', missing: [] }] }, 'languages', 'ok languages_ok'],
    [
      'an incomplete language',
      { languages: [{ tag: 'fr', missing: ['heading', 'problems.timeout'] }] },
      'languages',
      'problem languages_incomplete',
    ],
    ['a page without a chat', { hasChat: false }, 'page', 'unknown chat_missing'],
    ['an unknown value', { invalidAttributes: ['mode="popup"'] }, 'attributes', 'problem attributes_invalid'],
    [
      'a distance without a unit',
      { invalidProperties: ['--workspace-chat-offset-x: 20'] },
      'theme',
      'problem theme_invalid',
    ],
    [
      'a policy',
      {
        ...both(failed),
        isReached: false,
        lacking: { directive: 'connect-src', source: 'https://api.example' },
      },
      'policy',
      'problem policy_blocks',
    ],
  ];
  for (const [name, changed, check, expected] of cases) {
    it(name, () => assert.equal(codes(changed)[check], expected));
  }

  it('blame only the policy for requests that the policy blocked', () => {
    const lacking = { directive: 'connect-src', source: 'https://api.example' };
    const found = diagnose(evidence({ ...both(failed), isReached: false, lacking }));
    assert.deepEqual(
      valuesOf(
        found.filter(({ state }) => state === 'problem'),
        'check',
      ),
      ['policy'],
    );
  });

  it('skip the service while the settings are wrong', () => {
    const found = codes({ configuration: 'key_secret', ...both(failed) });
    assert.equal(found['settings'], 'problem key_secret');
    for (const check of ['service', 'origin', 'key', 'agent']) assert.equal(found[check], 'unknown not_examined');
  });
});

describe('The policy check', () => {
  const violation = { directive: 'connect-src', blocked: '', sourceFile: '', sample: '' };
  const service = 'https://api.example';
  for (const [name, given, expected] of [
    ['the service', { blocked: 'https://api.example/api/v2/me' }, 'connect-src https://api.example'],
    [
      'the script',
      { directive: 'script-src-elem', blocked: 'https://cdn.example/workspace-chat.js' },
      'script-src https://cdn.example',
    ],
    [
      'Lit’s Trusted Types policy',
      { directive: 'trusted-types', blocked: 'trusted-types-policy', sample: 'lit-html' },
      "trusted-types lit-html 'allow-duplicates'",
    ],
    ['another request of the page', { blocked: 'https://ads.example/pixel' }, null],
    ['the Trusted Types of another script', { directive: 'trusted-types', sample: 'angular' }, null],
  ] as const) {
    it(`${expected ? `requires ${expected}` : 'requires nothing'} when the policy blocks ${name}`, () => {
      const found = missingSource({ ...violation, ...given }, service);
      assert.equal(found && `${found.directive} ${found.source}`, expected);
    });
  }
});

describe('The sentences of the doctor', () => {
  const values = {
    baseUrl: 'https://api.example/api/v2',
    service: 'https://api.example',
    origin: 'https://shop.example',
    agentId: 'agt_1',
    status: 502,
    response: '',
    directive: 'connect-src',
    source: 'https://api.example',
    missing: 'fr: heading',
    language: 'nb',
    invalid: '--workspace-chat-offset-x: 20',
  };

  it('say how to fix every problem, in both languages', () => {
    for (const { findings } of [en, ar]) {
      for (const [code, explanation] of Object.entries(findings)) {
        const { message, fix } = explanation(values);
        assert.ok(message.length > 10, code);
        if (/(_ok|_local|_unread|not_examined)$/.test(code)) continue;
        assert.ok(fix && fix.length > 5, code);
      }
    }
  });

  it('are Arabic in an Arabic report, with isolated URLs', () => {
    const report = explain(diagnose(evidence({ ...both(failed), isReached: true })), 'ar-OM');
    const { message } = report.findings.find(({ check }) => check === 'origin')!;
    assert.equal(report.language, 'ar');
    assert.match(message, /\u2066https:\/\/shop\.example\u2069/);
    assert.match(describeReport(report), /^اكتُشفت مشكلة واحدة\.\n✓ الإعدادات/);
  });

  it('never contain the key', () => {
    for (const locale of ['en', 'ar']) {
      const text = describeReport(explain(diagnose(evidence(both(answered(401, 'invalid_key')))), locale));
      assert.ok(!text.includes('svc_pk_x'));
    }
  });
});
