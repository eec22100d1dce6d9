/** Statements of the contract about errors. */
import assert from 'node:assert/strict';
import type { ParsedResponse } from '../support.ts';
import { calls } from './limits.ts';
import { exceedText } from './sources.ts';
import type { StatementContext } from './context.ts';
import { about, assertError, inSection, once, type Statement } from './statement.ts';

const section = inSection('Errors');

/** Errors of many statuses, in both languages. */
const recorded = once(async (context) => {
  const agent = await context.someAgent();
  const causes: ((headers: Record<string, string>) => Promise<ParsedResponse<any>>)[] = [
    (headers) => context.call('GET', '/me', { key: null, headers }),
    (headers) => context.call('GET', '/me', { key: 'svc_sk_unknown', headers }),
    async (headers) => context.call('GET', '/agents', { key: await context.makeKey({ scopes: [] }), headers }),
    async (headers) => context.call('GET', '/me', { key: await context.makeKey({ kind: 'publishable' }), headers }),
    (headers) => context.call('GET', '/agents/agt_unknown', { headers }),
    (headers) => context.call('GET', '/unknown-path', { headers }),
    (headers) => context.call('PUT', '/agents', { headers }),
    (headers) => context.chat('Hello', { to: context.pausedAgentId, headers }),
    (headers) => context.call('POST', '/contacts', { body: {}, headers }),
    (headers) => context.call('POST', '/contacts', { body: '{', headers }),
    (headers) => context.call('POST', '/contacts', { body: { name: 'x'.repeat(1_100_000) }, headers }),
    (headers) => context.call('POST', `/agents/${agent}/actions`, { body: { kind: 'fax' }, headers }),
    (headers) => context.call('POST', '/contacts', { body: failing(context), headers }),
  ];
  const english = await Promise.all(causes.map(async (cause) => cause({})));
  const arabic = await Promise.all(causes.map(async (cause) => cause({ 'accept-language': 'ar' })));
  return { english, arabic };
});

/** A contact that the database of the service rejects. */
const failing = (context: StatementContext) => ({
  external_id: context.unique('failing-'),
  name: context.world.failingName,
});

const shape: Statement[] = [
  ...about(section, recorded, {
    'Every error has the body {error: {code, message, request_id}}.': ({ english }) => {
      for (const { status, body } of english) {
        assert.ok(status >= 400, String(status));
        assert.deepEqual(Object.keys(body), ['error']);
        for (const member of ['code', 'message', 'request_id']) assert.equal(typeof body.error[member], 'string');
      }
    },
    'The code of an error is in snake_case.': ({ english }) => {
      for (const { error } of english) assert.match(error.code, /^[a-z]+(_[a-z]+)*$/);
    },
    'The code of an error does not depend on the language.': ({ english, arabic }) =>
      assert.deepEqual(
        english.map(({ status, error }) => [status, error.code]),
        arabic.map(({ status, error }) => [status, error.code]),
      ),
    'The message of an error is English by default.': ({ english }) => {
      for (const { error } of english) assert.match(error.message, /^[A-Z][\x20-\x7e]+$/);
    },
    'The message of an error is Arabic with Accept-Language: ar.': ({ arabic }) => {
      for (const { error } of arabic) assert.match(error.message, /[\u0600-\u06ff]{3}/);
    },
  }),
  section('The message of an error is English for another language.', async (context) => {
    const { error } = await context.call('GET', '/agents/agt_unknown', { headers: { 'accept-language': 'fr' } });
    assert.match(error.message, /^[A-Z]/);
  }),
  section('The request_id of each error is different.', async (context) => {
    const { english, arabic } = await recorded(context);
    const ids = [...english, ...arabic].map(({ error }) => error.request_id);
    assert.equal(new Set(ids).size, ids.length);
  }),
];

const codes: Statement[] = [
  section('The code of 404 for an unknown id is not_found.', async (context) => {
    assertError(await context.call('GET', '/agents/agt_unknown'), 404, 'not_found');
  }),
  section('The code of 404 for an unknown path is not_found.', async (context) => {
    assertError(await context.call('GET', '/nothing'), 404, 'not_found');
  }),
  section('A method that a path does not support returns 405 method_not_allowed.', async (context) => {
    assertError(await context.call('PUT', '/agents'), 405, 'method_not_allowed');
  }),
  section('A body or a query that is not valid returns 422 validation_error.', async (context) => {
    assertError(await context.call('POST', '/contacts', { body: {} }), 422, 'validation_error');
    assertError(await context.call('GET', '/contacts?limit=0'), 422, 'validation_error');
  }),
  section('The details of validation_error list each field.', async (context) => {
    const body = { external_id: 'x', name: 1, locale: 'fr' };
    const { error } = await context.call('POST', '/contacts', { body });
    const fields = (error.details as any[]).map(({ field }) => field);
    assert.deepEqual(new Set(fields), new Set(['locale', 'name']));
  }),
  section('The error insufficient_scope names the missing scope in required_scope.', async (context) => {
    const key = await context.makeKey({ scopes: ['agents:read'] });
    const { error } = await context.call('GET', '/usage', { key });
    assert.deepEqual([error.code, error.required_scope], ['insufficient_scope', 'usage:read']);
  }),
  section('A body beyond the limit of its route returns 413, with the code body_too_large.', async (context) => {
    const body = { external_id: 'x', name: 'x'.repeat(1_100_000) };
    assertError(await context.call('POST', '/contacts', { body }), 413, 'body_too_large');
  }),
  section('The error plan_text_limit carries limit_chars and used_chars.', async (context) => {
    const error = await exceedText(context, await context.someAgent(), 2_000_001);
    assert.deepEqual([typeof error.limit_chars, typeof error.used_chars], ['number', 'number']);
  }),
  section('A fault of the service returns 500 internal_error, and says nothing about its cause.', async (context) => {
    const response = await context.call('POST', '/contacts', { body: failing(context) });
    assertError(response, 500, 'internal_error');
    const { request_id: _, ...members } = response.error;
    assert.doesNotMatch(JSON.stringify(members), /constraint|postgres|contacts|Unstorable/i);
  }),
  section('The error rate_limited has the header Retry-After in seconds.', async (context) => {
    const { response } = (await calls(context)).first;
    assert.ok(response);
    assertError(response, 429, 'rate_limited');
    const wait = Number(response?.headers.get('retry-after'));
    assert.ok(Number.isInteger(wait) && wait >= 1 && wait <= 60, String(wait));
  }),
];

export const errorStatements: Statement[] = [...shape, ...codes];
