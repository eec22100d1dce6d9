import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createFakeService, routeFakeService } from '../../../src/entries/testing.ts';
import type { FakeScript, FakeService, FakeServiceOptions, PlaywrightPage } from '../../../src/entries/testing.ts';

const post = (body: object, key = 'svc_pk_test', signal?: AbortSignal): RequestInit => ({
  method: 'POST',
  headers: { authorization: `Bearer ${key}` },
  body: JSON.stringify(body),
  ...(signal && { signal }),
});

const hello = { messages: [{ role: 'user', content: 'Hello' }] };
const urlOf = ({ baseUrl, agentId }: FakeService): string => `${baseUrl}/agents/${agentId}/chat`;

const serviceWith = (script: FakeScript, options: FakeServiceOptions = {}) => {
  const service = createFakeService(options);
  service.reply(script);
  return { ...service, url: urlOf(service), service };
};

describe('The fake service', () => {
  it('can be imported where the test environment lacks what browsers have, as jsdom does in Jest', async () => {
    const names = ['TextEncoder', 'TextDecoder', 'ReadableStream', 'TransformStream', 'Response', 'Request', 'Headers'];
    const entry = pathToFileURL(resolve('src/entries/testing.ts')).href;
    const script = `const names = ${JSON.stringify(names)};
      for (const name of names) delete globalThis[name];
      const { createFakeService } = await import(${JSON.stringify(entry)});
      console.log(typeof createFakeService().fetch);`;
    const options = ['--import', 'tsx', '--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, options);
    assert.equal(stdout.trim(), 'function');
  });

  it('streams a text as deltas and ends with done', async () => {
    const { fetch, url } = serviceWith('One two');
    const response = await fetch(url, post({ ...hello, stream: true }));
    assert.equal(response.headers.get('content-type'), 'text/event-stream');
    const names = [...(await response.text()).matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);
    assert.deepEqual(names, ['delta', 'delta', 'done']);
  });

  it('responds to a call without streaming with JSON, and continues a conversation only with that conversation’s token', async () => {
    const { fetch, url } = serviceWith('One');
    const first = (await (await fetch(url, post(hello))).json()) as Record<string, string>;
    const { conversation_id, conversation_token } = first;
    assert.match(conversation_token!, /./);
    assert.equal((await fetch(url, post({ ...hello, conversation_id, conversation_token }))).status, 200);
    assert.equal((await fetch(url, post({ ...hello, conversation_id, conversation_token: 'x' }))).status, 404);
  });

  it('repeats the text when nothing is scripted, or calls the test', async () => {
    const repeating = createFakeService();
    const first = (await (await repeating.fetch(urlOf(repeating), post(hello))).json()) as object;
    assert.match(JSON.stringify(first), /"content":"Hello"/);
    const service = createFakeService({ respond: (text) => text.toUpperCase() });
    const second = (await (await service.fetch(urlOf(service), post(hello))).json()) as object;
    assert.match(JSON.stringify(second), /"content":"HELLO"/);
    assert.deepEqual([service.requests.length, service.requests[0]!.text], [1, 'Hello']);
  });

  it('rejects a call with the scripted error of the contract', async () => {
    const { fetch, url } = serviceWith({ fault: 'rejected', status: 429, code: 'rate_limited', retryAfter: 2 });
    const response = await fetch(url, post(hello));
    assert.deepEqual([response.status, response.headers.get('retry-after')], [429, '2']);
    assert.match(await response.text(), /"code":"rate_limited"/);
  });

  it('rejects another key and another agent', async () => {
    const { fetch, url, baseUrl } = serviceWith('One');
    assert.equal((await fetch(url, post(hello, 'svc_pk_other'))).status, 401);
    assert.equal((await fetch(`${baseUrl}/agents/agt_other/chat`, post(hello))).status, 404);
  });

  it('fails like a connection for the faults offline and interrupted', async () => {
    const offline = serviceWith({ fault: 'offline' });
    await assert.rejects(offline.fetch(offline.url, post(hello)), TypeError);
    const interrupted = serviceWith({ fault: 'interrupted', text: 'Half' });
    const response = await interrupted.fetch(interrupted.url, post({ ...hello, stream: true }));
    const reader = response.body!.getReader();
    assert.match(new TextDecoder().decode((await reader.read()).value), /Half/);
    await assert.rejects(reader.read(), TypeError);
  });

  it('does not respond for the fault silent until the caller aborts', async () => {
    const { fetch, url } = serviceWith({ fault: 'silent' });
    const controller = new AbortController();
    const response = fetch(url, post(hello, 'svc_pk_test', controller.signal));
    controller.abort();
    await assert.rejects(response, { name: 'AbortError' });
  });

  it('ends open replies and fails later calls when it is closed', async () => {
    const { fetch, url, service } = serviceWith({ text: 'One', until: new Promise(() => {}) });
    const response = await fetch(url, post({ ...hello, stream: true }));
    await service.close();
    await assert.rejects(response.text(), TypeError);
    await assert.rejects(fetch(url, post(hello)), TypeError);
  });

  it('accepts the result of a tool call once', async () => {
    const { fetch, url, service } = serviceWith({ tools: [{ name: 'get_cart' }], text: ([cart]) => `${cart!.ok}` });
    const response = await fetch(url, post({ ...hello, stream: true, client_tools: ['get_cart'] }));
    const reader = response.body!.getReader();
    const [, id] = /"call_id":"(\w+)"/.exec(new TextDecoder().decode((await reader.read()).value))!;
    const result = post({ call_id: id, ok: true, result: { total: 1 } });
    assert.equal((await fetch(`${url}/tool-results`, result)).status, 200);
    assert.equal((await fetch(`${url}/tool-results`, result)).status, 409);
    assert.deepEqual(service.toolResults, [{ name: 'get_cart', ok: true, result: { total: 1 } }]);
    assert.match(new TextDecoder().decode((await reader.read()).value), /"text":"true"/);
  });
});

describe('The Playwright helper', () => {
  type Handler = Parameters<PlaywrightPage['route']>[1];

  /** Sends a call through the helper and returns the response, or `aborted`. */
  const call = async (script: FakeScript) => {
    const { service, url } = serviceWith(script);
    let handle!: Handler;
    let isRouted!: (url: URL) => boolean;
    await routeFakeService(
      { route: async (matches, handler) => void ([isRouted, handle] = [matches, handler]) },
      service,
    );
    assert.deepEqual([isRouted(new URL(url)), isRouted(new URL('https://shop.example/'))], [true, false]);
    let outcome: unknown = null;
    await handle({
      request: () => ({
        url: () => url,
        headers: () => ({ authorization: 'Bearer svc_pk_test' }),
        postData: () => JSON.stringify(hello),
      }),
      fulfill: async ({ status, body }) => void (outcome = [status, /"content":"(\w+)/.exec(body)?.[1]]),
      abort: async () => void (outcome = 'aborted'),
    });
    return outcome;
  };

  it('fulfills the calls of the API with the responses of the service', async () => {
    assert.deepEqual(await call('Hello there'), [200, 'Hello']);
  });

  it('aborts a call that fails', async () => {
    assert.equal(await call({ fault: 'offline' }), 'aborted');
  });
});
