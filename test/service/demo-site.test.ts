import assert from 'node:assert/strict';
import { mkdtempSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createDemo, type Demo } from '../../demo/site.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
let demo: Demo;
let dataDir: string;

before(async () => {
  // A folder beside the one that `npm start` uses.
  mkdirSync(join(root, '.data'), { recursive: true });
  dataDir = mkdtempSync(join(root, '.data', 'test-'));
  demo = await createDemo({ anyPort: true, dataDir });
});
after(async () => {
  await demo.close();
  rmSync(dataDir, { recursive: true });
});

const get = (path: string) => fetch(new URL(path, demo.url), { headers: { origin: 'http://localhost:9999' } });

describe('the demo site', () => {
  it('does not serve the secret key or any other file outside of its pages', async () => {
    assert.match(readFileSync(join(dataDir, 'keys.json'), 'utf8'), /svc_sk_/);
    const files = [
      join(dataDir, 'keys.json'),
      ...['package.json', 'service/main.ts', '.git'].map((name) => join(root, name)),
    ];
    for (const file of files) {
      for (const suffix of ['', '?raw', '?import&raw', '?url', '?raw??', '?import&inline', '?.svg?.wasm?init']) {
        for (const path of [
          `/@fs${file}${suffix}`,
          `/@fs/${file}${suffix}`,
          `/@fs${root}demo/../${file.slice(root.length)}${suffix}`,
        ]) {
          const response = await get(path);
          const text = await response.text();
          assert.ok(!text.includes('svc_sk_') && !text.includes('workspaces'), `${path}: ${response.status}`);
          assert.notEqual(response.status, 200, path);
        }
      }
    }
  });

  it('lists the pages of the docs, and serves them as text', async () => {
    const list = await (await get('/docs/')).text();
    assert.match(list, /npm run docs/);
    const links = [...list.matchAll(/href="\.(\/[^"]+\.md)"/g)].map(([, path]) => path!);
    assert.ok(links.includes('/webview/README.md') && links.includes('/ar/troubleshooting.md'));
    for (const path of links) {
      const response = await get(`/docs${path}`);
      assert.equal(response.status, 200, path);
      assert.match(response.headers.get('content-type')!, /^text\/plain/);
    }
    for (const path of ['/docs/no-such-page.md', '/docs/package.json', '/docs/..%2fpackage.json']) {
      assert.equal((await get(path)).status, 404, path);
    }
  });

  it('serves its pages and their modules without CORS', async () => {
    for (const path of ['/', '/shop.ts', `/@fs${root}src/index.ts`, '/docs/']) {
      const response = await get(path);
      assert.equal(response.status, 200, path);
      assert.equal(response.headers.get('access-control-allow-origin'), null);
    }
  });
});
