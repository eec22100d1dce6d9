/** A load balancer without sticky sessions: each request goes to the next process. */
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RoundRobin {
  origin: string;
  close(): void;
}

export const startRoundRobin = async (origins: string[]): Promise<RoundRobin> => {
  let turn = 0;
  const server = createServer((request, response) => {
    const target = new URL(origins[turn++ % origins.length]!);
    const { method, url, headers } = request;
    const options = { host: target.hostname, port: target.port, method, path: url, headers: { ...headers } };
    const forwarded = forward(options, (received) => {
      response.writeHead(received.statusCode!, received.headers);
      response.flushHeaders();
      received.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
