/** Runs the local service by itself: `tsx demo/service/main.ts --port 8787 --data .data --fresh`. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { eraseData } from './db/erase.ts';
import { createService } from './service.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8787' },
    data: { type: 'string', default: '.data' },
    fresh: { type: 'boolean', default: false },
  },
});
const dataDir = resolve(values.data);
if (values.fresh) await eraseData(dataDir).catch(giveUp);
const databaseUrl = process.env['DATABASE_URL'];
const service = await createService({
  dataDir,
  ...(databaseUrl === undefined ? {} : { databaseUrl }),
  onProgress: (text) => console.error(text),
  log: (entry) => console.error(JSON.stringify(entry)),
}).catch(giveUp);
const { baseUrl } = await service.listen(Number(values.port)).catch(giveUp);
console.log(`Base URL         ${baseUrl}`);
console.log(`Agent            ${service.demo.agentId}`);
console.log(`Publishable key  ${service.demo.publishableKey}`);
console.log(`Secret key       ${service.demo.secretKey}`);

let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (stopping) process.exit(1);
    stopping = true;
    void service.close().then(() => process.exit(0));
  });
}

/** Says why in a sentence: a stack would tell a reader of the terminal nothing. */
function giveUp(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
