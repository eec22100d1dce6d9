/** `npm run service -- check`: examines an installation before its start or after a restore, and changes nothing. */
import { resolve } from 'node:path';
import { failed, ok, runChecks, warning, type Check } from './checks/check.ts';
import { databaseChecks, poolerCheck } from './checks/database.ts';
import { deepChecks } from './checks/deep.ts';
import { diskCheck, egressCheck, endpointCheck, mailCheck, signInCheck } from './checks/other-systems.ts';
import type { Configuration } from './configuration.ts';
import { createEncryption, storedPassphrase } from './core/encryption.ts';
import { openForReading } from './db/read.ts';
import { startErrorMessage } from './start-errors.ts';
import { describeUnknown, type UnknownVariable } from './unknown-variables.ts';

const describe = (error: Error): string => startErrorMessage(error, 'database');

/** Returns whether nothing has failed. */
export const checkInstallation = async (
  configuration: Configuration,
  write: (line: string) => void,
): Promise<boolean> => {
  const folder = resolve(configuration.data);
  const { databaseUrl, directDatabaseUrl } = configuration;
  const database = await openForReading(folder, directDatabaseUrl ?? databaseUrl).catch((error: unknown) => error);
  const mailer = configuration.mail && (await import('./mail/mailer.ts')).createMailer(configuration.mail);
  try {
    const checks = [
      ...configuration.unknownVariables.map(settingsCheck),
      ...(await checksOfDatabase(configuration, folder, database)),
      ...(databaseUrl !== undefined && directDatabaseUrl !== undefined
        ? [poolerCheck(databaseUrl, directDatabaseUrl)]
        : []),
      diskCheck(folder),
      mailCheck(mailer),
    ];
    const { model, embeddings, traceUrl, signIn } = configuration;
    if (signIn) checks.push(signInCheck((await import('./sign-in/provider.ts')).createProvider(signIn)));
    const modelUrl = model?.url ?? embeddings?.url;
    if (modelUrl !== undefined) checks.push(endpointCheck('WORKSPACE_MODEL_URL', modelUrl));
    if (traceUrl !== undefined) checks.push(endpointCheck('OTEL_EXPORTER_OTLP_ENDPOINT', traceUrl));
    return await runChecks(checks, write, describe);
  } finally {
    mailer?.close();
    if (isOpened(database)) await database.close();
  }
};

const settingsCheck = (unknown: UnknownVariable): Check => ({
  name: 'settings',
  run: async () => warning(describeUnknown(unknown)),
});

type Opened = NonNullable<Awaited<ReturnType<typeof openForReading>>>;

const isOpened = (database: unknown): database is Opened =>
  typeof database === 'object' && database !== null && 'migrations' in database;

const checksOfDatabase = async (configuration: Configuration, folder: string, database: unknown): Promise<Check[]> => {
  if (isOpened(database)) {
    const { encryptionKey, previousEncryptionKey, allowLoopback, deep } = configuration;
    const passphrase = encryptionKey ?? (await storedPassphrase(folder));
    const encryption = passphrase === undefined ? undefined : createEncryption(passphrase, previousEncryptionKey);
    return [
      ...databaseChecks(database, encryption, Date.now),
      egressCheck(database, allowLoopback),
      ...(deep ? deepChecks(database) : []),
    ];
  }
  const finding =
    database instanceof Error
      ? failed(describe(database))
      : ok('There is no embedded database yet. The first start creates it.');
  return [{ name: 'database', run: async () => finding }];
};
