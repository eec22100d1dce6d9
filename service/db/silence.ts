/**
 * A connection whose other end has disappeared, in a failover of its host or in a firewall: nobody refuses what is sent, and no
 * answer comes. The timeouts of the database cannot end it.
 */
import { Socket } from 'node:net';
import type { Client } from 'pg';

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

/**
 * Opens a connection.
 * @param silenceMs The time in which the server has to respond until the connection is open. A statement may take longer.
 */
export const connect = async (connectionString: string, silenceMs: number): Promise<Client> => {
  const { default: pg } = await import('pg');
  const socket = socketsWithin(silenceMs)();
  const client = new pg.Client({ connectionString, stream: () => socket });
  // The query that waits for the connection rejects too.
  client.on('error', () => {});
  await client.connect();
  socket.setTimeout(0);
  return client;
};
