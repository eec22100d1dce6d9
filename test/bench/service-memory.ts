/**
 * Measures what the service keeps in memory after many turns: `npx tsx test/bench/service-memory.ts`. Prints the script heap, which
 * is measured after a garbage collection, and the resident memory. Needs PostgreSQL. Fails when the heap grows by more than 5 %
 * between the first fifth of the turns and the last.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findPostgres, noPostgresReason } from '../support/servers/postgres.ts';
import { startService } from '../support/servers/service-process.ts';
import { sendTurn, type Credentials } from './load-client.ts';

const turns = 10_000;
const steps = 5;
const callers = 40;
/** A conversation's turns. An address may make 20 calls in a minute. */
const turnsPerConversation = 15;
const questions = ['What are your opening hours?', 'Where can I park?', 'Do you have classes for children?'];

const postgres = await findPostgres();
if (!postgres) throw new Error(noPostgresReason);
const { url } = await postgres.database();
const folder = mkdtempSync(join(tmpdir(), 'workspace-memory-'));
const report = join(folder, 'heap');
const service = await startService(['--data', folder], {
  DATABASE_URL: url,
  TRUST_PROXY: '127.0.0.1',
  LOG_LEVEL: 'warn',
  NODE_OPTIONS: `--import=tsx --import=${new URL('./report-heap.ts', import.meta.url).href}`,
  HEAP_REPORT: report,
});
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
let nextCaller = 0;
let begun = 0;
let failed = 0;

const converse = async (end: number): Promise<void> => {
  while (begun < end) {
    const caller = nextCaller++;
    let credentials: Credentials = {};
    for (let turn = 0; turn < turnsPerConversation && begun < end; turn++) {
      begun++;
      const sent = await sendTurn(service, agent, {
        caller,
        question: questions[turn % questions.length]!,
        credentials,
      });
      if (sent.outcome !== 'done') failed++;
      credentials = sent.credentials;
    }
  }
};

const residentMiB = (): number => {
  const [, kibibytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))!;
  return Number(kibibytes) / 1024;
};

/** Returns the script heap of the service in bytes, after a garbage collection. */
const heapBytes = async (): Promise<number> => {
  rmSync(report, { force: true });
  process.kill(service.pid, 'SIGUSR2');
  while (!existsSync(report)) await delay(50);
  return Number(readFileSync(report, 'utf8'));
};

const heaps: number[] = [];
for (let step = 1; step <= steps; step++) {
  const end = (turns / steps) * step;
  await Promise.all(Array.from({ length: callers }, () => converse(end)));
  const heap = await heapBytes();
  heaps.push(heap);
  const megabytes = (heap / 1e6).toFixed(1);
  console.log(`after ${end} turns: heap ${megabytes} MB, resident ${residentMiB().toFixed(0)} MiB, ${failed} failed`);
}
const growth = heaps.at(-1)! / heaps[0]! - 1;
console.log(`growth of the heap from ${turns / steps} to ${turns} turns: ${(growth * 100).toFixed(1)} %`);
if (growth > 0.05 || failed > 0) process.exitCode = 1;
agent.destroy();
await service.end('SIGTERM');
await postgres.stop();
rmSync(folder, { recursive: true, force: true });
process.exit();
