import assert from 'node:assert/strict';
import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, it, mock } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { isPublic } from '../../service/egress/address.ts';
import { requirePublicUrl } from '../../service/egress/check-url.ts';
import { sendRequest } from '../../service/egress/request.ts';
import { urlProblem } from '../../service/egress/url-rules.ts';
import { useServer } from './support.ts';

let location = '';
let compressed: { encoding: string; body: Uint8Array };
const server = useServer((response, { url }) => {
  if (url === '/large') response.writeHead(200).end('x'.repeat(100_000));
  else if (url === '/compressed')
    response.writeHead(200, { 'content-encoding': compressed.encoding }).end(compressed.body);
  else if (url === '/endless') {
    response.writeHead(200);
    const write = () => void (response.destroyed || response.write('x'.repeat(10_000), write));
    write();
  } else response.writeHead(302, { location }).end();
});

/** Makes the lookup of a host return addresses, or never end. */
const resolveTo = (addresses: { address: string; family: number }[] | undefined): void => {
  // A second mock would restore the first one.
  mock.restoreAll();
  mock.method(dns, 'lookup', () => (addresses ? Promise.resolve(addresses) : new Promise(() => {})));
  syncBuiltinESMExports();
};
afterEach(() => {
  mock.restoreAll();
  syncBuiltinESMExports();
});

const send = (url: string, more: object = {}) =>
  sendRequest(url, {
    method: 'GET',
    timeoutMs: 30_000,
    maxBytes: 1000,
    maxRedirects: 3,
    allowLoopback: false,
    ...more,
  });

it('an address is public only in the assigned ranges of the internet', () => {
  for (const address of [
    '8.8.8.8',
    '203.1.1.1',
    '168.63.129.17',
    '2001:4860:4860::8888',
    '2606:4700::1111',
    '2a00:1450::1',
    '::ffff:8.8.8.8',
  ]) {
    assert.equal(isPublic(address), true, address);
  }
  const special = `0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 192.0.0.1 192.0.2.1 192.88.99.1
    192.168.0.1 198.18.0.1 198.51.100.1 203.0.113.1 192.0.0.192 168.63.129.16 ::ffff:168.63.129.16 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::7f00:1 ::a00:1 ::808:808
    ::ffff:10.0.0.1 ::ffff:0:10.0.0.1 64:ff9b::a00:1 64:ff9b:1::1 100::1 100:0:0:1::1 1::1 200::1 400::1 800::1 1000::1 1fff::1
    2001::1 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 2002:a00:1::1 3ffe::1 3fff::1 4000::1 5f00::1 6000::1 8000::1 a000::1
    c000::1 e000::1 f000::1 f800::1 fc00::1 fd00::1 fe00::1 fe80::1 fec0::1 ff02::1 nonsense`;
  for (const address of special.split(/\s+/)) assert.equal(isPublic(address), false, address);
});

describe('an outbound request', () => {
  it('goes over http only to this machine, when that is allowed', () => {
    assert.equal(urlProblem(new URL('http://127.0.0.1:5432/'), true), undefined);
    assert.equal(urlProblem(new URL('http://a.example/'), true), 'url_not_https');
  });

  it('follows a redirect only to a URL that is allowed at first', async () => {
    for (const target of [
      'https://a.example:22/',
      'http://a.example/',
      'https://user@a.example/',
      'ftp://127.0.0.1/',
    ]) {
      location = target;
      await assert.rejects(send(`${server.url}/moved`, { allowLoopback: true }), { reason: 'unreachable' }, target);
    }
    location = 'https://[4000::1]/';
    await assert.rejects(send(`${server.url}/moved`, { allowLoopback: true }), { reason: 'private_address' });
  });

  it('counts the lookup of the host as a part of its timeout', async () => {
    resolveTo(undefined);
    await assert.rejects(send('https://slow.example/', { timeoutMs: 50 }), { reason: 'timeout' });
    const signal = AbortSignal.timeout;
    mock.method(AbortSignal, 'timeout', () => signal.call(AbortSignal, 50));
    await assert.rejects(requirePublicUrl('https://slow.example/', false), (error: any) => {
      return error.extra.details[0].code === 'url_unresolved';
    });
  });

  it('is rejected when one of several addresses is not public', async () => {
    resolveTo([
      { address: '8.8.8.8', family: 4 },
      { address: '::7f00:1', family: 6 },
    ]);
    await assert.rejects(send('https://mixed.example/'), { reason: 'private_address' });
  });

  it('tries the other addresses of a host when the first does not respond', async () => {
    const dead = [
      { address: '127.0.0.2', family: 4 },
      { address: '::1', family: 6 },
    ];
    resolveTo([...dead, { address: '127.0.0.1', family: 4 }]);
    const url = server.url.replace('127.0.0.1', 'localhost');
    const { status } = await send(`${url}/large`, { allowLoopback: true, truncates: true });
    assert.equal(status, 200);
    resolveTo(dead);
    const posted = { method: 'POST', body: '{}', allowLoopback: true };
    await assert.rejects(send(url, posted), { reason: 'unreachable', isSent: false });
  });

  it('names its sender, unless its caller sets another name', async () => {
    const options = { allowLoopback: true, truncates: true };
    await send(`${server.url}/large`, options);
    await send(`${server.url}/large`, { ...options, headers: { 'User-Agent': 'another' } });
    assert.deepEqual(
      server.requests.map(({ headers }) => headers['user-agent']),
      ['workspace-assistant', 'another'],
    );
  });

  for (const [method, status, timeoutMs, reason] of [
    ['GET', '101 Switching Protocols', 30_000, 'unreachable'],
    // Node.js drops the connection, and emits nothing.
    ['CONNECT', '200 Connected', 200, 'timeout'],
  ] as const) {
    it(`fails when the host answers a ${method} with ${status}`, async () => {
      const sockets: Socket[] = [];
      const host = createServer((socket) => {
        sockets.push(socket.on('error', () => {}));
        const lines = [`HTTP/1.1 ${status}`, 'Upgrade: websocket', 'Connection: Upgrade'];
        socket.once('data', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
      });
      await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}/`;
      try {
        await assert.rejects(send(url, { method, timeoutMs, allowLoopback: true }), { reason, isSent: true });
      } finally {
        for (const socket of sockets) socket.destroy();
        host.close();
      }
    });
  }

  it('reads a body up to its limit, and ends the connection there when it may truncate it', async () => {
    await assert.rejects(send(`${server.url}/large`, { allowLoopback: true }), { reason: 'too_large' });
    for (const path of ['/large', '/endless']) {
      const { status, text } = await send(`${server.url}${path}`, { allowLoopback: true, truncates: true });
      assert.deepEqual([status, text.length], [200, 1000]);
    }
  });

  for (const [encoding, compress] of [
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const) {
    it(`decompresses a body with the encoding ${encoding}, up to its limit`, async () => {
      const sendCompressed = (more = {}) => send(`${server.url}/compressed`, { allowLoopback: true, ...more });
      compressed = { encoding, body: compress('A text') };
      assert.equal((await sendCompressed()).text, 'A text');
      assert.equal(server.requests[0]!.headers['accept-encoding'], 'identity');
      compressed = { encoding, body: compress('x'.repeat(100_000)) };
      await assert.rejects(sendCompressed(), { reason: 'too_large' });
      assert.equal((await sendCompressed({ truncates: true })).status, 200);
      for (const body of ['', 'Not compressed']) {
        compressed = { encoding, body: Buffer.from(body) };
        assert.equal((await sendCompressed()).text, body);
      }
    });
  }
});
