/**
 * Measures the service under load, with a second process for the callers: `npx tsx test/bench/service-load.ts`. Prints the turns
 * per second of two processes on PostgreSQL, and the time to the first text of many streams that start at once, on PostgreSQL
 * and on PGlite. `--streams=100,1000` chooses the numbers of streams, and `--on=pglite` the database.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findPostgres, noPostgresReason } from '../support/servers/postgres.ts';
import { startService, type ServiceProcess } from '../support/servers/service-process.ts';
import { createTestService } from '../service/support.ts';
import { percentile, sendTurn, type Credentials, type SentTurn } from './load-client.ts';
import { databaseTime, processorTime } from './processor-time.ts';

const questions = ['What are your opening hours?', 'Where can I park?', 'Do you have classes for children?'];
const seconds = 20;
const callers = 120;

const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '100,1000,2000' },
    on: { type: 'string', default: 'postgresql,pglite' },
  },
});
const streamCounts = values.streams.split(',').map(Number);
let nextCaller = 0;
const folder = mkdtempSync(join(tmpdir(), 'workspace-load-'));
// The callers have addresses of their own, because a publishable key is limited by address.
const encryptionKey = 'the same for all';
const environment = { TRUST_PROXY: '127.0.0.1', WORKSPACE_ENCRYPTION_KEY: encryptionKey, LOG_LEVEL: 'warn' };

/** The processor time of the processes, in milliseconds. */
const timeOf = (services: ServiceProcess[]): number =>
  services.reduce((total, { pid }) => total + processorTime(pid), 0);

/** Conversations of three turns, one after the other, until the time is over. */
const measureTurns = async (services: ServiceProcess[], databaseMs: () => Promise<number>): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  const endsAt = performance.now() + seconds * 1000;
  const turns: SentTurn[] = [];
  const call = async () => {
    while (performance.now() < endsAt) {
      // An address may make 20 calls in a minute.
      const caller = nextCaller++;
      let credentials: Credentials = {};
      for (const question of questions) {
        const service = services[turns.length % services.length]!;
        const turn = await sendTurn(service, agent, { caller, question, credentials });
        turns.push(turn);
        credentials = turn.credentials;
      }
    }
  };
  const before = { service: timeOf(services), database: await databaseMs(), callers: process.cpuUsage() };
  const began = performance.now();
  await Promise.all(Array.from({ length: callers }, call));
  const elapsed = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(before.callers);
  const completed = turns.filter(({ outcome }) => outcome === 'done').length;
  agent.destroy();
  print(`turns per second of ${services.length} processes`, completed / elapsed);
  print('turns that failed', turns.length - completed);
  print('processor time of the processes, ms per turn', (timeOf(services) - before.service) / completed);
  print('processor time of the database, ms per turn', ((await databaseMs()) - before.database) / completed);
  print('processor time of the callers, ms per turn', (user + system) / 1000 / completed);
};

/** Starts all streams at once, each over a connection of its own. */
const measureStreams = async (name: string, services: ServiceProcess[], streams: number): Promise<void> => {
  const agent = new Agent({ maxSockets: Infinity });
  const before = timeOf(services);
  const all = await Promise.all(
    Array.from({ length: streams }, (_, at) =>
      sendTurn(services[at % services.length]!, agent, {
        caller: nextCaller++,
        question: questions[at % questions.length]!,
        credentials: {},
      }),
    ),
  );
  agent.destroy();
  const first = all.flatMap(({ firstTextMs }) => firstTextMs ?? []);
  const count = (outcome: SentTurn['outcome']) => all.filter((each) => each.outcome === outcome).length;
  console.log(
    `${name}, ${streams} streams at once: first text p50 ${percentile(first, 50)} ms, p95 ${percentile(first, 95)} ms, ` +
      `${count('done')} complete, ${count('rejected')} rejected with Retry-After, ${count('reset')} reset, ${count('failed')} failed, ` +
      `${((timeOf(services) - before) / streams).toFixed(1)} ms of the processors each`,
  );
};

const print = (name: string, value: number): void => console.log(`${name.padEnd(48)}${value.toFixed(1).padStart(8)}`);

const measureOnPostgres = async (): Promise<void> => {
  const server = await findPostgres();
  if (!server) throw new Error(noPostgresReason);
  const { url } = await server.database();
  const tested = await createTestService({ databaseUrl: url, background: false, now: Date.now, encryptionKey });
  const services = await Promise.all(
    ['one', 'other'].map((name) => startService(['--data', join(folder, name)], { ...environment, DATABASE_URL: url })),
  );
  // The first turns are slower, because functions are compiled.
  await measureStreams('PostgreSQL, warming up', services, 100);
  await measureTurns(services, () => databaseTime(tested.service.db));
  for (const streams of streamCounts) await measureStreams('PostgreSQL, two processes', services, streams);
  await Promise.all(services.map((each) => each.end('SIGTERM')));
  await tested.service.close();
  await server.stop();
};

const measureOnPglite = async (): Promise<void> => {
  const service = await startService(['--data', join(folder, 'pglite')], environment);
  await measureStreams('PGlite, warming up', [service], 100);
  for (const streams of streamCounts) await measureStreams('PGlite', [service], streams);
  await service.end('SIGTERM');
};

if (values.on.includes('postgresql')) await measureOnPostgres();
if (values.on.includes('pglite')) await measureOnPglite();
rmSync(folder, { recursive: true, force: true });
process.exit(0);
