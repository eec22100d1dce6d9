/** Sends short messages to every process of the service: with LISTEN and NOTIFY when they share a PostgreSQL server. */
import { sql } from 'drizzle-orm';
import { Socket } from 'node:net';
import type { Client } from 'pg';
import { poolTimeoutMs } from '../core/timeouts.ts';
import type { Db } from './database.ts';

export interface Signals {
  /** Sends a text of up to 8,000 bytes. Listeners receive it when the transaction has been committed. */
  send(tx: Db, text: string): Promise<void>;
  /** The listener gets undefined when signals may have been lost. */
  listen(listener: (text: string | undefined) => void): void;
  close(): Promise<void>;
}

/**
 * Signals within a single process. They arrive before the transaction is committed, but a listener that reads the
 * database waits for the transaction, because PGlite has one connection.
 */
export const localSignals = (): Signals => {
  const listeners: ((text: string) => void)[] = [];
  return {
    send: async (_, text) => listeners.forEach((listener) => listener(text)),
    listen: (listener) => void listeners.push(listener),
    close: async () => {},
  };
};

const channel = 'workspace_service';
const reconnectDelayMs = 1000;
/** With the delay, this is shorter than the silence after which a process counts as dead. */
const responseTimeoutMs = 4000;

const timeouts = { connectionTimeoutMillis: poolTimeoutMs, query_timeout: responseTimeoutMs };

export interface PostgresSignals extends Signals {
  /** The connection that listens. It is the process's own, so a query does not wait for those of other calls. */
  connection(): Client;
  /** Replaces that connection, because something on it has failed. */
  reconnect(cause: Error): void;
}

const send = async (tx: Db, text: string): Promise<void> => {
  await tx.execute(sql`select pg_notify(${channel}, ${text})`);
};

/** Nobody may be there to say goodbye to. */
const end = async (client: Client, socket: Socket): Promise<void> => {
  socket.setTimeout(responseTimeoutMs, () => socket.destroy());
  await client.end();
};

/** @throws {Error} When the first connection fails. A connection that is lost later is opened again. */
export const postgresSignals = async (url: string, onError: (error: Error) => void): Promise<PostgresSignals> => {
  const { default: pg } = await import('pg');
  const listeners: ((text: string | undefined) => void)[] = [];
  let client: Client;
  let socket: Socket;
  let loseConnection: (cause?: Error) => void;
  let retry: NodeJS.Timeout | undefined;
  let [isConnected, isClosed] = [false, false];

  const connect = async (): Promise<void> => {
    const ownSocket = new Socket();
    const next = new pg.Client({ ...timeouts, connectionString: url, keepAlive: true, stream: () => ownSocket });
    let isLost = false;
    const handleLoss = (cause?: Error) => {
      if (isLost || isClosed) return;
      isLost = true;
      onError(cause ?? new Error('The database closed the connection that listens for signals.'));
      ownSocket.destroy();
      reconnect();
    };
    next.on('error', handleLoss);
    next.on('end', () => handleLoss());
    next.on('notification', ({ payload }) => listeners.forEach((listener) => listener(payload ?? '')));
    isConnected = false;
    client = next;
    socket = ownSocket;
    loseConnection = handleLoss;
    await next.connect();
    await next.query(`listen ${channel}`);
    isConnected = true;
  };

  const reconnect = (): void => {
    if (isClosed) return;
    clearTimeout(retry);
    retry = setTimeout(() => {
      connect().then(() => listeners.forEach((listener) => listener(undefined)), loseConnection);
    }, reconnectDelayMs);
    retry.unref();
  };

  await connect().catch((error: unknown) => {
    isClosed = true;
    clearTimeout(retry);
    socket.destroy();
    throw error;
  });
  return {
    send,
    connection: () => client,
    // A heartbeat must not end a connection that is still being opened.
    reconnect: (cause) => isConnected && loseConnection(cause),
    listen: (listener) => void listeners.push(listener),
    async close() {
      isClosed = true;
      clearTimeout(retry);
      await end(client, socket);
    },
  };
};
