/** The sentence for the terminal about an error that ends the start. It names the cause, and what to do about it. */

type Sentences = Record<string, string | ((message: string) => string)>;

/** The part of the start that has failed. The same code has another cause in each: a host may be that of the database, or the own one. */
export type StartStep = 'settings' | 'database' | 'port' | 'metrics';

/** What an error of the system means at any step. */
const systemSentences: Sentences = {
  EACCES: (message) =>
    `The process may not do this: ${message}. Check the rights of the folder, or use a port above 1023.`,
  ENOSPC: 'The disk is full.',
};

/** @param host The option with the address. */
const addressSentences = (host: string, port: string): Sentences => {
  const unusable = (message: string) => `${message}. ${host} takes an address or a name of this machine.`;
  return {
    EADDRINUSE: (message) => `The port is in use already: ${message}. Choose another one with ${port}.`,
    EACCES: (message) => `The process may not listen there: ${message}. Use a port above 1023 with ${port}.`,
    EADDRNOTAVAIL: unusable,
    EAFNOSUPPORT: unusable,
    EINVAL: unusable,
    ENOTFOUND: unusable,
    EAI_AGAIN: unusable,
  };
};

const databaseSentences: Sentences = {
  ECONNREFUSED:
    'Cannot connect to PostgreSQL at DATABASE_URL. Check that the server is running and that the URL is correct.',
  ETIMEDOUT: 'PostgreSQL at DATABASE_URL does not respond. Check its address, and the firewall between.',
  ENOTFOUND: (message) => `The host of DATABASE_URL is unknown: ${message}. Check its name.`,
  EAI_AGAIN: (message) =>
    `The host of DATABASE_URL cannot be looked up: ${message}. Check its name, and the DNS server.`,
  '28P01': 'PostgreSQL rejects the user or the password of DATABASE_URL.',
  '28000': (message) => `PostgreSQL rejects the user of DATABASE_URL: ${message}. Check the role, and pg_hba.conf.`,
  '08P01': (message) =>
    `PostgreSQL at DATABASE_URL rejects the connection: ${message}. If PgBouncer is there, set DATABASE_DIRECT_URL to the database.`,
  '3D000': (message) => `${message}. Create the database with createdb, or change DATABASE_URL.`,
  '42501': (message) =>
    `The user of DATABASE_URL has too few rights: ${message}. Make it the owner of the database: alter database … owner to …`,
  '53300': 'PostgreSQL has no free connection. Raise max_connections, or use fewer processes or a pooler.',
  '53100': 'The disk of the database is full.',
  '57P03': 'PostgreSQL is starting up or shutting down. Try again when it is ready.',
  '0A000': (message) =>
    `PostgreSQL lacks something: ${message}. Install the package postgresql-contrib, which has pg_trgm.`,
  '25006': 'The database is read-only, for example a replica. Use the primary server.',
};

const sentencesOf: Record<StartStep, Sentences> = {
  settings: {},
  database: databaseSentences,
  port: addressSentences('--host', '--port'),
  metrics: addressSentences('--metrics-host', '--metrics-port'),
};

export const startErrorMessage = (error: Error, step: StartStep): string => {
  const { code } = error as NodeJS.ErrnoException;
  if (code?.startsWith('ERR_PARSE_ARGS')) return `${error.message}. Run with --help to list the options.`;
  const sentence = code === undefined ? undefined : { ...systemSentences, ...sentencesOf[step] }[code];
  if (typeof sentence === 'string') return sentence;
  if (sentence) return sentence(error.message);
  // Drizzle's error contains the query, and the cause what the database says about it.
  if (error.cause instanceof Error) return startErrorMessage(error.cause, step);
  return error.message || code || error.name;
};
