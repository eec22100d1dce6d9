import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { request, type OutgoingHttpHeaders } from 'node:http';
import { sql } from 'drizzle-orm';
import { acceptedLanguage } from '../../service/core/language.ts';
import type { Listening } from '../../service/service.ts';
import { eventually, startBefore, useTestService } from './support.ts';

const tested = useTestService();
let listening: Listening;
let key: string;
startBefore(async () => {
  listening = await tested.service.listen();
  key = await tested.makeKey({ scopes: ['chat', 'sources:write', 'contacts:write', 'agents:read'] });
});
const chatPath = '/agents/agt_palm_and_clay/chat';
const sockets: Socket[] = [];
after(() => {
  for (const socket of sockets) socket.destroy();
});

/** A connection over which the test writes bytes. */
const open = async (url = listening.url, options: { allowHalfOpen?: boolean } = {}) => {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), ...options });
  sockets.push(socket);
  let received = '';
  let failure: Error | undefined;
  const waiting = new Set<() => void>();
  const notify = () => {
    for (const check of waiting) check();
  };
  socket.on('data', (bytes) => {
    // One character for each byte, which `content-length` counts.
    received += bytes.toString('latin1');
    notify();
  });
  socket.on('error', (error) => {
    failure = error;
    notify();
  });
  socket.on('close', notify);
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  const write = (bytes: string | Buffer) => new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  /** Resolves with the next response. */
  const response = () =>
    new Promise<{ status: number; head: string; body: any }>((resolve, reject) => {
      const check = () => {
        const end = received.indexOf('\r\n\r\n');
        const head = received.slice(0, Math.max(end, 0));
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
        if (end !== -1 && received.length >= end + 4 + length) {
          const body = Buffer.from(received.slice(end + 4, end + 4 + length), 'latin1').toString();
          received = received.slice(end + 4 + length);
          waiting.delete(check);
          resolve({ status: Number(/^HTTP\/1.1 (\d+)/.exec(head)?.[1]), head, body: JSON.parse(body) });
        } else if (failure || socket.closed) reject(failure ?? new Error(`closed after: ${received}`));
      };
      waiting.add(check);
      check();
    });
  return { write, response, socket };
};

const requestHead = (path: string, headers: string[], authorization = `Bearer ${key}`) =>
  [`POST /api/v2${path} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', `Authorization: ${authorization}`]
    .concat(headers, '', '')
    .join('\r\n');
const get = (path: string, by = key) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${by}\r\n\r\n`;

describe('a body that is too large', () => {
  const megabyte = Buffer.alloc(1024 * 1024, 32);
  const paths = ['/contacts', '/agents/agt_palm_and_clay/sources'];

  /** Writes a call with a body of 20 MB, whose length its head tells, or that comes in chunks. */
  const writeLarge = async (
    { write }: Awaited<ReturnType<typeof open>>,
    path: string,
    { authorization, isChunked }: { authorization: string | undefined; isChunked: boolean },
  ) => {
    const length = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${20 * megabyte.length}`;
    await write(requestHead(path, [length], authorization));
    for (let part = 0; part < 20; part++) {
      if (isChunked) await write(`${megabyte.length.toString(16)}\r\n`);
      await write(megabyte);
      if (isChunked) await write('\r\n');
    }
    if (isChunked) await write('0\r\n\r\n');
  };

  for (const [what, authorization, status, code] of [
    ['with a valid key', undefined, 413, 'body_too_large'],
    ['without a valid key', 'Bearer svc_sk_none', 401, 'invalid_key'],
  ] as const) {
    it(`gets its response, and leaves the connection usable, ${what}`, async () => {
      for (const path of paths) {
        tested.nextMinute();
        const connection = await open();
        for (const isChunked of [false, true]) {
          await writeLarge(connection, path, { authorization, isChunked });
          const { status: received, body } = await connection.response();
          assert.deepEqual([received, body.error.code], [status, code]);
          await connection.write(get('/api/v2/agents'));
          assert.equal((await connection.response()).status, 200);
        }
      }
    });

    it(`gets its response before the connection of a chat call is closed, ${what}`, async () => {
      for (const isChunked of [false, true]) {
        const connection = await open();
        await writeLarge(connection, chatPath, { authorization, isChunked });
        const { status: received, head, body } = await connection.response();
        assert.deepEqual([received, body.error.code], [status, code]);
        assert.match(head, /^connection: close$/im);
      }
    });
  }
});

describe('a body that the caller does not finish', () => {
  for (const [how, disconnect] of [
    ['resets the connection', (socket: Socket) => void socket.resetAndDestroy()],
    ['closes the connection', (socket: Socket) => void socket.destroy()],
  ] as const) {
    it(`is an error of the caller, and no failure of the service, when the caller ${how}`, async () => {
      const { write, socket } = await open();
      await write(requestHead('/contacts', ['Content-Length: 300000']) + '{"x":"');
      // When the service has responded to a later call, it reads this body.
      const later = await open();
      await later.write(get('/api/v2/agents'));
      await later.response();
      tested.log.length = 0;
      disconnect(socket);
      const find = async () => tested.log.find(({ event }) => event === 'request');
      const { level, status } = await eventually(find);
      assert.deepEqual([level, status], ['info', 400]);
      assert.ok(!tested.log.some(({ event }) => event === 'failure'));
    });
  }
});

describe('a path with dot segments', () => {
  for (const [what, path, expected] of [
    ['is not found', '/api/v2/../../team/inbox', 404],
    ['is not found', '/api/v2/%2e%2e/%2E./team/inbox', 404],
    ['is found when the dots are in its query', '/api/v2/agents?x=/../', 200],
    ['is found when the dots are in its query', '/team/inbox?..', 200],
  ] as const) {
    it(`${what}: ${path}`, async () => {
      const connection = await open();
      await connection.write(get(path, tested.secretKey));
      const { status, body } = await connection.response();
      assert.deepEqual([status, body.error?.code], [expected, expected === 404 ? 'not_found' : undefined]);
    });
  }
});

describe('a request that Node.js rejects', () => {
  for (const [what, request, status, code] of [
    ['is not HTTP', 'nonsense\r\n\r\n', 400, 'malformed_request'],
    ['has no Host header', 'GET /api/v2/agents HTTP/1.1\r\n\r\n', 400, 'malformed_request'],
    ['has an invalid Host header', 'GET /api/v2/agents HTTP/1.1\r\nHost: a b\r\n\r\n', 400, 'malformed_request'],
    [
      'has two lengths',
      'POST /api/v2/me HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'malformed_request',
    ],
    [
      'has headers that are too large',
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['asks for a tunnel', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n', 405, 'method_not_allowed'],
    [
      'expects something unknown',
      'POST /api/v2/me HTTP/1.1\r\nHost: x\r\nExpect: magic\r\nContent-Length: 0\r\n\r\n',
      417,
      'expectation_failed',
    ],
    [
      'has chunk extensions that are too large',
      `POST /api/v2/contacts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer KEY\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\n`,
      413,
      'body_too_large',
    ],
  ] as const) {
    it(`gets the body and the version of an error when it ${what}`, async () => {
      const connection = await open();
      await connection.write(request.replace('KEY', key));
      const { status: received, head, body } = await connection.response();
      assert.deepEqual([received, body.error.code], [status, code]);
      assert.match(head, /x-service-api-version: 2026-10-01/i);
      assert.match(body.error.request_id, /^req_/);
    });
  }
});

describe('a connection that asks for a tunnel', () => {
  const tunnel = 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n';

  it('does not end the service when it is reset before its response', async () => {
    for (let each = 0; each < 50; each++) {
      const { write, socket } = await open();
      await write(tunnel);
      socket.resetAndDestroy();
      // The service has met the error before it responds to a later connection.
      const next = await open();
      await next.write(get('/api/v2/agents'));
      await next.response();
    }
  });

  it('does not delay the end of the service when the caller leaves it open', async () => {
    const second = await tested.service.listen();
    const connection = await open(second.url, { allowHalfOpen: true });
    await connection.write(tunnel);
    assert.equal((await connection.response()).status, 405);
    await second.close();
  });
});

it('describes the rejected request in the language of its headers', async () => {
  for (const request of ['CONNECT example.org:443 HTTP/1.1\r\n', 'POST /api/v2/me HTTP/1.1\r\nExpect: magic\r\n']) {
    const connection = await open();
    await connection.write(`${request}Host: x\r\nAccept-Language: ar\r\nContent-Length: 0\r\n\r\n`);
    assert.match((await connection.response()).body.error.message, /[\u0600-\u06FF]/);
  }
});

it('chooses the language of errors by the weights of Accept-Language', async () => {
  for (const [header, language] of [
    ['', 'en'],
    ['ar', 'ar'],
    ['AR-om', 'ar'],
    ['en, ar', 'en'],
    ['ar, en', 'ar'],
    ['en;q=0.8, ar;q=0.9', 'ar'],
    ['ar;q=0.5, en', 'en'],
    ['fr, ar;q=0.3', 'ar'],
    ['fr-CH, fr;q=0.9, en;q=0.8, ar;q=0.7, *;q=0.5', 'en'],
    ['ar;q=0', 'en'],
    ['ar;q=0, *', 'en'],
    ['ar;q=nonsense', 'en'],
    ['arn', 'en'],
    ['*, ar;q=0.5', 'en'],
    ['en;q=0, *', 'ar'],
    ['en;q=0, *;q=0', 'en'],
    ['ar ; q = 0.9, en;q=0.5', 'ar'],
    ['ar;q=0.1, ar-OM;q=0.9, en;q=0.5', 'ar'],
  ] as const) {
    assert.equal(acceptedLanguage(header), language, header);
  }
  const { error } = await tested.call('GET', '/me', { headers: { 'accept-language': 'en;q=0.1, ar-OM;q=0.2' } });
  assert.match(error.message, /[\u0600-\u06FF]/);
});

/** Sends a POST over a connection that the client wants to reuse. */
const post = (path: string, body: string, headers: OutgoingHttpHeaders) => {
  return new Promise<{ status: number; connection: string | undefined }>((resolve, reject) => {
    const sent = request(`${listening.baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'keep-alive', ...headers },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode!, connection: response.headers.connection }));
    });
    sent.end(body);
  });
};

const chat = JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] });
const result = JSON.stringify({ conversation_id: 'cnv_none', call_id: 'call_none', ok: true, result: {} });
const authorized = { authorization: `Bearer ${tested.secretKey}` };

describe('the connection of a chat call', () => {
  for (const [what, path, body, headers, status] of [
    ['a call without a key', chatPath, chat, {}, 401],
    ['a call with malformed JSON', chatPath, '{', authorized, 400],
    ['a call with an invalid body', chatPath, '{}', authorized, 422],
    ['a call to an unknown agent', '/agents/agt_none/chat', chat, authorized, 404],
    ['a compressed call', chatPath, chat, { ...authorized, 'content-encoding': 'gzip' }, 415],
    ['a call with an expectation', chatPath, chat, { ...authorized, expect: 'something' }, 417],
    ['a result of an unknown conversation', `${chatPath}/tool-results`, result, authorized, 404],
    ['a result without a key', `${chatPath}/tool-results`, result, {}, 401],
  ] as const) {
    it(`is closed after ${what}`, async () => {
      assert.deepEqual(await post(path, body, headers), { status, connection: 'close' });
    });
  }

  it('is closed after an internal error', async () => {
    const { db } = tested.service;
    await db.execute(sql`alter table conversations rename to renamed_conversations`);
    try {
      const response = await post(chatPath, chat, authorized);
      assert.deepEqual(response, { status: 500, connection: 'close' });
    } finally {
      await db.execute(sql`alter table renamed_conversations rename to conversations`);
    }
  });

  it('stays open after a call that was accepted, and after another refused call', async () => {
    const accepted = await post(chatPath, chat, authorized);
    assert.deepEqual(accepted, { status: 200, connection: 'keep-alive' });
    const refused = await post('/contacts', '{}', authorized);
    assert.deepEqual(refused, { status: 422, connection: 'keep-alive' });
  });
});
