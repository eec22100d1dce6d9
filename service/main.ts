/** Starts the service from a terminal. `npm run service -- --help` lists the options. */
import { resolve } from 'node:path';
import { commandLine, databaseFromEnvironment, proxiesFromEnvironment, usage } from './command-line.ts';
import { eraseData } from './db/erase.ts';
import { modelFromEnvironment } from './model/settings.ts';
import { createService } from './service.ts';

/** Returns a message for the terminal. */
const messageOf = (error: Error): string => {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE') return `The port is in use already: ${error.message}. Choose another one with --port.`;
  if (code === 'ECONNREFUSED')
    return 'Cannot connect to PostgreSQL at DATABASE_URL. Check that the server is running and that the URL is correct.';
  if (code === '3D000') return `${error.message}. Create the database with createdb, or change DATABASE_URL.`;
  if (code?.startsWith('ERR_PARSE_ARGS')) return `${error.message}. Run with --help to list the options.`;
  return error.message || code || error.name;
};

/** Exits with a message instead of a stack trace when a step of the start fails. */
const orExit = async <Value>(start: () => Value | Promise<Value>): Promise<Value> => {
  try {
    return await start();
  } catch (error) {
    console.error(error instanceof Error ? messageOf(error) : error);
    return process.exit(1);
  }
};

const options = await orExit(() => commandLine(process.argv.slice(2)));
if (options === 'help') {
  console.log(usage);
  process.exit(0);
}
const dataDir = resolve(options.data);
const databaseUrl = await orExit(() => databaseFromEnvironment(process.env));
const trustProxy = await orExit(() => proxiesFromEnvironment(process.env));
const model = await orExit(() => modelFromEnvironment(process.env));
if (options.fresh) await orExit(() => eraseData(dataDir));
const service = await orExit(() =>
  createService({
    dataDir,
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    ...(model === undefined ? {} : { model }),
    ...(options.seed === undefined ? {} : { workspace: options.seed }),
    allowLoopback: options.allowLoopback,
    trustProxy,
    onProgress: (text) => console.error(text),
    log: (entry) => console.error(JSON.stringify(entry)),
  }),
);
const { baseUrl } = await orExit(() => service.listen(options.port, options.host));
console.log(`Base URL         ${baseUrl}`);
console.log(`Agent            ${service.demo.agentId}`);
console.log(`Publishable key  ${service.demo.publishableKey}`);
console.log(`Secret key       ${service.demo.secretKey}`);
console.log(`Replies from     ${model === undefined ? 'passages of the knowledge' : `${model.name} at ${model.url}`}`);

const drainMs = 20_000;
const stop = async (): Promise<void> => {
  // A turn that does not react to the end of its time must not keep the process alive.
  setTimeout(() => process.exit(1), drainMs + 5000).unref();
  await service.drain(drainMs);
  await service.close();
  process.exit(0);
};

let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    void stop();
  });
}
