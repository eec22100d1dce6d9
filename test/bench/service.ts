/**
 * `npm run bench:service`: measures the service. Prints the cost of a turn, the turns per second, streams that start at once, the
 * growth of memory, the fairness of deliveries beside endpoints that never respond, the plans of list pages in a large workspace,
 * and the share of right replies. Takes about 12 minutes. Parts that need PostgreSQL say so when it is missing.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const parts: [title: string, file: string, ...options: string[]][] = [
  ['The cost of a turn', './service-costs.ts'],
  ['Turns per second, and streams that start at once', './service-load.ts'],
  ['Memory after many turns', './service-memory.ts'],
  ['Deliveries beside endpoints that never respond', './delivery-fairness.ts'],
  ['The plans of list pages', '../service/list-plans.slow.test.ts', '--test', '--test-reporter=spec'],
  ['Replies without a language model', './retrieval.ts'],
];

for (const [title, file, ...options] of parts) {
  console.log(`\n# ${title}\n`);
  const path = fileURLToPath(new URL(file, import.meta.url));
  const { status } = spawnSync(process.execPath, ['--import=tsx', '--no-wasm-tier-up', ...options, path], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
