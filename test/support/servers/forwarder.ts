/** A line between the service and its database that tests can cut, or make silent. */
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Forwards connections to a server. */
export const forwarder = (target: URL) => {
  const sockets = new Set<Socket>();
  const forward = (incoming: Socket) => {
    const outgoing = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
      from.pipe(to);
    }
  };
  let listener: Server | undefined;
  let port = 0;
  return {
    port: () => port,
    isOpen: () => listener?.listening ?? false,
    open: () =>
      new Promise<void>((resolve) => {
        listener = createServer(forward).listen(port, '127.0.0.1', () => {
          port = (listener!.address() as AddressInfo).port;
          resolve();
        });
      }),
    /** Resets every connection, and refuses new ones. */
    cut: () =>
      new Promise<void>((resolve) => {
        listener!.close(() => resolve());
        for (const socket of sockets) socket.destroy();
        sockets.clear();
      }),
    /** Takes what the open connections send, and answers nothing any longer. */
    silence() {
      for (const socket of sockets) socket.unpipe().resume();
    },
  };
};
