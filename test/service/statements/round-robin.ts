/** A load balancer without sticky sessions: each request goes to the next process. */
import { request as forward } from 'node:http';
import { listen, type Listening } from '../../support/servers/listen.ts';

export const startRoundRobin = (origins: string[]): Promise<Listening> => {
  let turn = 0;
  return listen((request, response) => {
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
};
