import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { useTestService } from './support.ts';

const tested = useTestService();
let document: any;
let operations: [string, any][];

describe('the OpenAPI document', () => {
  before(async () => {
    document = (await tested.call('GET', '/openapi.json')).body;
    operations = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, any] => [`${method} ${path}`, operation]),
    );
  });

  it('has the errors that every operation may have, and a group, for each operation', () => {
    for (const [name, { responses, tags }] of operations) {
      for (const status of ['400', '401', '403', '404', '405', '413', '415', '422', '429', '500', '503']) {
        assert.ok(status in responses, `${name} ${status}`);
      }
      assert.equal(tags.length, 1, name);
    }
  });

  it('describes its license, each operation and each group of operations', () => {
    assert.deepEqual([document.openapi, document.info.version], ['3.1.0', '2026-10-01']);
    assert.equal(document.info.license.name, 'MIT');
    const chat = document.paths['/api/v2/agents/{agent_id}/chat'].post;
    assert.deepEqual(chat.security, [{ key: ['chat'] }]);
    assert.deepEqual(Object.keys(chat.responses['200'].content), ['application/json', 'text/event-stream']);
    for (const [name, { summary, description }] of operations) assert.ok(summary && description, name);
    const described = (document.tags as { name: string; description: string }[]).map(({ name }) => name);
    assert.deepEqual(new Set(described), new Set(operations.flatMap(([, { tags }]) => tags)));
  });

  it('has no enumeration with null, which generators of clients reject', () => {
    assert.doesNotMatch(JSON.stringify(document), /"enum":\[[^\]]*null/);
  });

  it('has the header Idempotency-Key for each operation that can be repeated under it, and for no other', () => {
    const folder = new URL('../../service/routes/', import.meta.url);
    const repeatable = readdirSync(folder).flatMap((file) =>
      readFileSync(new URL(file, folder), 'utf8')
        .split(/^const (?=\w+Route = )/m)
        .filter((declaration) => declaration.includes('runOnce<'))
        .map((declaration) => /operationId: '(\w+)'/.exec(declaration)![1]!),
    );
    const documented = operations.filter(([, { parameters = [] }]) =>
      parameters.some(({ name }: { name: string }) => name === 'Idempotency-Key'),
    );
    assert.deepEqual(documented.map(([, { operationId }]) => String(operationId)).toSorted(), repeatable.toSorted());
    assert.ok(repeatable.includes('chat'));
  });
});

it('the operations of the team have a limit of calls in a minute', async () => {
  const call = () => tested.api('GET', '/../../team/audit-log');
  const first = await call();
  const left = Number(first.headers.get('x-ratelimit-remaining'));
  assert.deepEqual([first.status, left], [200, 299]);
  for (let count = 0; count < left; count++) await call();
  const { status, headers } = await call();
  assert.equal(status, 429);
  assert.ok(Number(headers.get('retry-after')) > 0);
});
