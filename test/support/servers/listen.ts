/** HTTP servers on a free port of this machine. */
import { createServer, type RequestListener } from 'node:http';
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

/** A port that was free a moment ago. */
export const freePort = async (): Promise<number> => {
  const { port, close } = await listen(() => {});
  await close();
  return port;
};
