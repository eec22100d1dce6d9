/**
 * Measures what a conversation costs the service on PostgreSQL: `npx tsx test/bench/service-costs.ts`. Prints the round trips
 * to the database, the processor time of the service and of the database, the transactions, and the bytes that stay.
 */
import { sql } from 'drizzle-orm';
import { Client } from 'pg';
import { queryRows, type Db } from '../../service/db/database.ts';
import { findPostgres, noPostgresReason } from '../support/servers/postgres.ts';
import { createTestService, type TestService } from '../service/support.ts';
import { databaseTime } from './processor-time.ts';

const conversations = 300;
const concurrent = 8;
const questions = ['What are your opening hours?', 'Where can I park?', 'Do you have classes for children?'];

const sizeOf = async (db: Db): Promise<number> => {
  const [found] = await queryRows<{ bytes: number }>(
    db,
    sql`select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'rate_counts'`,
  );
  return found!.bytes;
};

const transactionsOf = async (db: Db): Promise<number> => {
  const [found] = await queryRows<{ total: number }>(
    db,
    sql`select (xact_commit + xact_rollback)::float8 as total from pg_stat_database where datname = current_database()`,
  );
  return found!.total;
};

const converse = async (tested: TestService): Promise<void> => {
  // A key for each conversation, because a key may make 20 chat calls in a minute.
  const key = await tested.makeKey({ kind: 'publishable' });
  let credentials = {};
  for (const question of questions) {
    const events = await tested.streamed(question, { key, ...credentials });
    const { conversation_id, conversation_token } = events.at(-1)!.data;
    if (conversation_token) credentials = { conversation_id, conversation_token };
  }
};

const measure = async (tested: TestService, total: number): Promise<void> => {
  let left = total;
  const work = async () => {
    while (left-- > 0) await converse(tested);
  };
  await Promise.all(Array.from({ length: concurrent }, work));
  await tested.service.work();
};

/** The statements that were sent since the last call, each with its name or its first words. */
const recordStatements = (): (() => string[]) => {
  const sent: string[] = [];
  const { query } = Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
  const record = function (this: Client, config: unknown, ...rest: unknown[]): unknown {
    const { text, name } = typeof config === 'string' ? { text: config } : (config as { text: string; name?: string });
    sent.push(name ?? text.replace(/\s+/g, ' ').slice(0, 60));
    return query.call(this, config, ...rest);
  };
  Object.defineProperty(Client.prototype, 'query', { value: record });
  return () => sent.splice(0);
};

const printStatements = async (tested: TestService, takeStatements: () => string[]): Promise<void> => {
  const key = await tested.makeKey({ kind: 'publishable' });
  let credentials = {};
  for (const question of questions.slice(0, 2)) {
    takeStatements();
    const events = await tested.streamed(question, { key, ...credentials });
    const statements = takeStatements();
    console.log(
      `Round trips of the ${'conversation_id' in credentials ? 'second' : 'first'} turn: ${statements.length}`,
    );
    for (const each of statements) console.log(`  ${each}`);
    const { conversation_id, conversation_token } = events.at(-1)!.data;
    credentials = { conversation_id, conversation_token };
  }
};

const takeStatements = recordStatements();
const server = await findPostgres();
if (!server) throw new Error(noPostgresReason);
const tested = await createTestService({ databaseUrl: (await server.database()).url });
const { db } = tested.service;
await measure(tested, 20);
await printStatements(tested, takeStatements);

takeStatements();
const before = {
  processor: process.cpuUsage(),
  database: await databaseTime(db),
  transactions: await transactionsOf(db),
  bytes: await sizeOf(db),
};
const began = performance.now();
await measure(tested, conversations);
const seconds = (performance.now() - began) / 1000;
const { user, system } = process.cpuUsage(before.processor);
const turns = conversations * questions.length;
const roundTrips = takeStatements().length;
const rows = [
  ['round trips to the database, each turn', roundTrips / turns],
  ['processor time of the service, ms per turn', (user + system) / 1000 / turns],
  ['processor time of the database, ms per turn', ((await databaseTime(db)) - before.database) / turns],
  ['transactions per turn', ((await transactionsOf(db)) - before.transactions) / turns],
  ['KiB per conversation, with indexes', ((await sizeOf(db)) - before.bytes) / 1024 / conversations],
  ['turns per second here', turns / seconds],
] as const;
for (const [name, value] of rows) console.log(`${name.padEnd(48)}${value.toFixed(1).padStart(8)}`);

await tested.service.close();
await server.stop();
process.exit(0);
