import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { useTestService } from './support.ts';

const tested = useTestService();
const key = tested.secretKey;

describe('the ETag of a single resource', () => {
  let paths: string[];
  before(async () => {
    const { body: document } = await tested.call('GET', '/openapi.json');
    paths = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
      methods.get !== undefined && path.endsWith('}') ? [path] : [],
    );
    for (const path of paths) {
      const { responses, parameters } = document.paths[path].get;
      assert.ok('304' in responses && parameters.some(({ name }: any) => name === 'If-None-Match'), path);
    }
  });

  it('makes the response to an unchanged resource 304 without a body, until the resource changes', async () => {
    assert.ok(paths.length >= 5, String(paths));
    const { body } = await tested.api('POST', '/contacts', { external_id: 'one', name: 'Huda' });
    const path = `/contacts/${body.id}`;
    const first = await tested.api('GET', path);
    const tag = first.headers.get('etag')!;
    assert.match(tag, /^(W\/)?"[^"]+"$/);
    assert.equal(first.headers.get('cache-control'), 'private, no-cache');
    const read = () => tested.service.fetch(tested.request('GET', path, { key, headers: { 'if-none-match': tag } }));
    const same = await read();
    assert.deepEqual([same.status, await same.text(), same.headers.get('etag')], [304, '', tag]);
    for (const name of ['x-request-id', 'x-service-api-version', 'x-ratelimit-remaining'])
      assert.ok(same.headers.has(name), name);
    await tested.api('PATCH', path, { name: 'Huda A.' });
    const changed = await read();
    assert.equal(changed.status, 200);
    assert.notEqual(changed.headers.get('etag'), tag);
  });

  it('is on no list, and no 304 hides an error', async () => {
    const list = await tested.api('GET', '/contacts');
    assert.equal(list.headers.get('etag'), null);
    assert.equal(list.headers.get('cache-control'), 'no-store');
    const missing = await tested.api('GET', '/contacts/con_none', undefined, { 'if-none-match': '*' });
    assert.deepEqual([missing.status, missing.headers.get('cache-control')], [404, 'no-store']);
    const denied = await tested.call('GET', '/contacts/con_none', { headers: { 'if-none-match': '*' } });
    assert.equal(denied.status, 401);
  });
});
