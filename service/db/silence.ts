/**
 * A connection whose other end has disappeared, in a failover of its host or in a firewall: nobody refuses what is sent, and no
 * answer comes. The timeouts of the database cannot end it.
 */
import { Socket } from 'node:net';

/**
 * Opens sockets that are closed after a time without traffic, so that the query that waits for its answer fails.
 * @param silenceMs Longer than any statement, and than a connection stays idle in a pool.
 */
export const socketsWithin = (silenceMs: number) => (): Socket => {
  const socket = new Socket();
  return socket.setTimeout(silenceMs, () => {
    socket.destroy(Object.assign(new Error('The database does not respond.'), { code: 'ETIMEDOUT' }));
  });
};
