/** Tells every process of the service of something, this one included: by LISTEN and NOTIFY where they share a server. */
import { sql } from 'drizzle-orm';
import type { Db } from './open.ts';

export interface Signals {
  /** Heard once the transaction it is sent in is committed; up to 8,000 bytes. */
  send(tx: Db, text: string): Promise<void>;
  /** `heard` gets undefined when signals may have been missed. */
  listen(heard: (text: string | undefined) => void): void;
  close(): Promise<void>;
}

/** Of a single process: there is nobody else to tell. What hears it reads after the transaction, as it must wait for it. */
export const localSignals = (): Signals => {
  const listeners: ((text: string) => void)[] = [];
  return {
    send: async (_, text) => listeners.forEach((heard) => heard(text)),
    listen: (heard) => void listeners.push(heard),
    close: async () => {},
  };
};

const channel = 'workspace_service';
const retryAfter = 1000;

/** @throws When the server cannot be reached at first; later it is looked for again and again. */
export const postgresSignals = async (url: string, onError: (error: Error) => void): Promise<Signals> => {
  const { default: pg } = await import('pg');
  const listeners: ((text: string | undefined) => void)[] = [];
  let client: InstanceType<typeof pg.Client> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;

  const connect = async (): Promise<void> => {
    const next = new pg.Client({ connectionString: url, keepAlive: true });
    let lost = false;
    const lose = (cause?: Error) => {
      if (lost || closed) return;
      lost = true;
      onError(cause ?? new Error('The connection that listens was closed.'));
      void next.end().catch(() => {});
      again();
    };
    next.on('error', lose);
    next.on('end', () => lose());
    next.on('notification', ({ payload }) => listeners.forEach((heard) => heard(payload ?? '')));
    client = next;
    await next.connect();
    await next.query(`listen ${channel}`);
  };

  const again = (): void => {
    if (closed) return;
    clearTimeout(retry);
    retry = setTimeout(() => {
      connect().then(
        () => listeners.forEach((heard) => heard(undefined)),
        (error: Error) => {
          onError(error);
          again();
        },
      );
    }, retryAfter);
    retry.unref();
  };

  await connect().catch((error: unknown) => {
    closed = true;
    throw error;
  });
  return {
    async send(tx, text) {
      await tx.execute(sql`select pg_notify(${channel}, ${text})`);
    },
    listen: (heard) => void listeners.push(heard),
    async close() {
      closed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
};
