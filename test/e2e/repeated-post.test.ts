import { createServer, type AddressInfo } from 'node:net';
import { expect, it } from '../support/fixtures.ts';

const ok = (body: string) =>
  `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: ${body.length}\r\nconnection: keep-alive\r\n\r\n${body}`;

// docs/faults.md says what a proxy should do about it.
it('Chromium repeats a POST whose reused connection is reset before the response, and the page cannot notice it', async ({
  newPage,
}) => {
  const posts: number[] = [];
  let connections = 0;
  /** The connections that were reset: the first one that is reused. */
  const resets: number[] = [];
  const server = createServer((socket) => {
    const connection = ++connections;
    socket.on('error', () => {});
    socket.on('data', (data) => {
      const request = data.toString();
      if (!request.startsWith('POST')) return void socket.write(ok('page'));
      posts.push(connection);
      const isReused = posts.filter((each) => each === connection).length > 1;
      if (!isReused || resets.length > 0) return void socket.write(ok('done'));
      resets.push(connection);
      socket.resetAndDestroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const page = await newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const post = () => page.evaluate(`fetch('/', { method: 'POST', body: 'x' }).then((response) => response.text())`);
    // The browser may have more than one idle connection, so the first calls may be on different ones.
    let calls = 0;
    while (resets.length === 0 && calls++ < 10) expect(await post()).toBe('done');
    expect(posts).toHaveLength(calls + 1);
    expect(posts.at(-1)).not.toBe(posts.at(-2));
  } finally {
    server.close();
  }
});
