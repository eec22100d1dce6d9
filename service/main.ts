/** Runs the local service by itself: `npm run service -- --help` tells how. */
import { resolve } from 'node:path';
import { commandLine, databaseFromEnvironment, usage } from './command-line.ts';
import { eraseData } from './db/erase.ts';
import { modelFromEnvironment } from './model/settings.ts';
import { createService } from './service.ts';

const sentence = (error: Error): string => {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE') return `The port is in use already: ${error.message}. Choose another with --port.`;
  if (code === 'ECONNREFUSED') return 'No PostgreSQL answers at DATABASE_URL. Is it running, and is the URL right?';
  if (code === '3D000') return `${error.message}: create it first (createdb), or change DATABASE_URL.`;
  if (code?.startsWith('ERR_PARSE_ARGS')) return `${error.message}. --help shows what there is.`;
  return error.message || code || error.name;
};

/** What goes wrong at the start is said in a sentence: a stack would tell a reader of the terminal nothing. */
const reading = async <Value>(start: () => Value | Promise<Value>): Promise<Value> => {
  try {
    return await start();
  } catch (error) {
    console.error(error instanceof Error ? sentence(error) : error);
    return process.exit(1);
  }
};

const asked = await reading(() => commandLine(process.argv.slice(2)));
if (asked === 'help') {
  console.log(usage);
  process.exit(0);
}
const dataDir = resolve(asked.data);
const databaseUrl = await reading(() => databaseFromEnvironment(process.env));
const model = await reading(() => modelFromEnvironment(process.env));
if (asked.fresh) await reading(() => eraseData(dataDir));
const service = await reading(() =>
  createService({
    dataDir,
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    ...(model === undefined ? {} : { model }),
    ...(asked.seed === undefined ? {} : { workspace: asked.seed }),
    allowLoopback: asked.allowLoopback,
    onProgress: (text) => console.error(text),
    log: (entry) => console.error(JSON.stringify(entry)),
  }),
);
const { baseUrl } = await reading(() => service.listen(asked.port, asked.host));
console.log(`Base URL         ${baseUrl}`);
console.log(`Agent            ${service.demo.agentId}`);
console.log(`Publishable key  ${service.demo.publishableKey}`);
console.log(`Secret key       ${service.demo.secretKey}`);
console.log(
  `Answers from     ${model === undefined ? 'its knowledge, word for word' : `${model.name} at ${model.url}`}`,
);

let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (stopping) process.exit(1);
    stopping = true;
    void service.close().then(() => process.exit(0));
  });
}
