/** HTTP servers on a free port of this machine. */
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listening {
  /** Without a slash at its end. */
  url: string;
  port: number;
  /** Ends the open connections too. */
  close(): Promise<void>;
}

export const listen = async (handle: RequestListener): Promise<Listening> => {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, port, close };
};

export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Milliseconds since the epoch, in real time. */
  at: number;
}

export type Respond = (response: ServerResponse, request: ReceivedRequest) => void;

/** Returns a listener that responds when it has received the whole request. */
export const afterBody =
  (respond: Respond): RequestListener =>
  (request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      respond(response, { method, url, headers, body: Buffer.concat(pieces).toString('utf8'), at: Date.now() });
    });
  };

/** A port that was free a moment ago. */
export const freePort = async (): Promise<number> => {
  const { port, close } = await listen(() => {});
  await close();
  return port;
};
