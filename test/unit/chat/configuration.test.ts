import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkConfiguration } from '../../../src/chat/configuration.ts';
import { findProblem } from '../../../src/products/doctor/configuration-problem.ts';

const valid = { baseUrl: 'https://api.example/api/v2', publishableKey: 'svc_pk_abc', agentId: 'agt_1' };
const names = Object.keys(valid) as (keyof typeof valid)[];

describe('A configuration', () => {
  const harmless = [
    ' ',
    '\n',
    '\t',
    '\r\n',
    '\u00a0',
    '\ufeff',
    '\u200b',
    '\u200e',
    '\u200f',
    '\u2060',
    '\u00ad',
    ' \u200b\n',
  ];
  for (const around of harmless)
    it(`is valid with ${JSON.stringify(around)} around its values`, () => {
      for (const name of names) {
        const written = { ...valid, [name]: `${around}${valid[name]}${around}` };
        assert.deepEqual(checkConfiguration(written), valid);
        assert.equal(findProblem(written), null);
      }
    });

  const codes = { baseUrl: 'base_url_quoted', publishableKey: 'key_quoted', agentId: 'agent_quoted' };
  for (const [opening, closing] of ['""', "''", '``', '“”', '‘’', '„“', '«»', '””'].map((pair) => pair.split('')))
    it(`is not valid with ${opening}${closing} around a value, and the problem is named`, () => {
      for (const name of names)
        for (const value of [
          `${opening}${valid[name]}${closing}`,
          ` ${opening}${valid[name]}${closing}\n`,
          `${valid[name]}${closing}`,
        ]) {
          assert.equal(checkConfiguration({ ...valid, [name]: value }), null);
          assert.equal(findProblem({ ...valid, [name]: value }), codes[name]);
        }
    });

  for (const [name, value, code] of [
    ['publishableKey', 'svc_pk_', 'key_example'],
    ['publishableKey', 'svc_pk_your_key_here', 'key_example'],
    ['publishableKey', 'svc_pk_ AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'key_example'],
    ['publishableKey', '{{ publishable_key }}', 'key_example'],
    ['baseUrl', '{{ base_url }}', 'base_url_invalid'],
  ] as const)
    it(`is not valid with ${value}, and the problem is named`, () => {
      assert.equal(checkConfiguration({ ...valid, [name]: value }), null);
      assert.equal(findProblem({ ...valid, [name]: value }), code);
    });

  it('reports a secret key in quotation marks as a secret key', () => {
    assert.equal(findProblem({ ...valid, publishableKey: '"svc_sk_abc"' }), 'key_secret');
  });

  it('lacks a value that was removed', () => {
    const removed = { ...valid, agentId: null as unknown as string };
    assert.equal(checkConfiguration(removed), null);
    assert.equal(findProblem(removed), 'agent_missing');
  });
});
