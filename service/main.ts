/** Starts the service from a terminal. `npm run service -- --help` lists the options. */
import { resolve } from 'node:path';
import { readConfiguration, usage } from './configuration.ts';
import { eraseData } from './db/erase.ts';
import { createLog } from './log-output.ts';
import { observe } from './observe.ts';
import { createService } from './service.ts';
import { startErrorMessage, type StartStep } from './start-errors.ts';
import { exitGraceMs } from './core/timeouts.ts';

// A log collector that ends closes the pipe, and a full disk rejects the log. Neither may end the service.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

/** Exits with a message instead of a stack trace when a step of the start fails. */
const orExit = async <Value>(step: StartStep, start: () => Value | Promise<Value>): Promise<Value> => {
  try {
    return await start();
  } catch (error) {
    console.error(error instanceof Error ? startErrorMessage(error, step) : error);
    return process.exit(1);
  }
};

const configuration = await orExit('settings', () => readConfiguration(process.argv.slice(2), process.env));
if (configuration === 'help') {
  console.log(usage);
  process.exit(0);
}
if (configuration.command === 'check') {
  const { checkInstallation } = await import('./check-installation.ts');
  const hasPassed = await orExit('database', () => checkInstallation(configuration, console.log));
  process.exit(hasPassed ? 0 : 1);
}
const { databaseUrl, directDatabaseUrl, encryptionKey, previousEncryptionKey } = configuration;
const { model, embeddings, mail, signIn, seed, port, host, drainSeconds } = configuration;
const dataDir = resolve(configuration.data);
const log = createLog({
  format: configuration.logFormat,
  level: configuration.logLevel,
  isTerminal: process.stderr.isTTY,
  write: (line) => process.stderr.write(line),
});
for (const unknown of configuration.unknownVariables) log({ level: 'warn', event: 'unknown_variable', ...unknown });
if (configuration.fresh) await orExit('database', () => eraseData(dataDir));
const observed = await orExit('metrics', () => observe(configuration));
const service = await orExit('database', () =>
  createService({
    dataDir,
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    ...(directDatabaseUrl === undefined ? {} : { directDatabaseUrl }),
    ...(encryptionKey === undefined ? {} : { encryptionKey }),
    ...(previousEncryptionKey === undefined ? {} : { previousEncryptionKey }),
    replacesSecrets: configuration.replaceSecrets,
    retention: {
      conversations: configuration.conversationRetentionDays,
      contacts: configuration.contactRetentionDays,
    },
    ...(model === undefined ? {} : { model }),
    ...(embeddings === undefined ? {} : { embeddings }),
    ...(mail === undefined ? {} : { mail }),
    ...(signIn === undefined ? {} : { signIn }),
    ...(seed === undefined ? {} : { workspace: seed }),
    defaultWorkspace: 'empty',
    newWorkspace: {
      name: configuration.workspaceName,
      ownerName: configuration.ownerName,
      ownerEmail: configuration.ownerEmail,
      agentName: configuration.agentName,
      timeZone: configuration.timeZone,
      language: configuration.language,
    },
    allowLoopback: configuration.allowLoopback,
    development: configuration.development,
    trustProxy: configuration.trustProxy,
    observer: observed.observer,
    onProgress: (text) => console.error(text),
    log,
  }),
);
let isStopping = false;
const metricsUrl = await orExit('metrics', () => observed.serve(service, () => isStopping));
const { baseUrl } = await orExit('port', () => service.listen(port, host));
console.log(`Base URL         ${baseUrl}`);
console.log(`Agent            ${service.demo.agentId}`);
if (configuration.hideKeys) console.log(`Keys             ${resolve(dataDir, 'keys.json')}`);
else {
  console.log(`Publishable key  ${service.demo.publishableKey}`);
  console.log(`Secret key       ${service.demo.secretKey}`);
}
console.log(`Replies from     ${model === undefined ? 'passages of the knowledge' : `${model.name} at ${model.url}`}`);
if (embeddings) console.log(`Embeddings from  ${embeddings.name} at ${embeddings.url}`);
if (signIn) console.log(`Sign-in with     ${signIn.issuer}`);
if (metricsUrl !== undefined) console.log(`Metrics          ${metricsUrl}`);

const stop = async (): Promise<void> => {
  const deadlineMs = drainSeconds * 1000;
  log({ level: 'info', event: 'draining', deadline_seconds: drainSeconds });
  setTimeout(() => process.exit(1), deadlineMs + exitGraceMs).unref();
  await service.drain(deadlineMs);
  await service.close();
  await observed.close();
  process.exit(0);
};

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    void stop();
  });
}
