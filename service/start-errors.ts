/** The sentence for the terminal about an error that ends the start. It names the cause, and what to do about it. */

const sentences: Record<string, string | ((message: string) => string)> = {
  EADDRINUSE: (message) => `The port is in use already: ${message}. Choose another one with --port or --metrics-port.`,
  EACCES: (message) =>
    `The process may not do this: ${message}. Check the rights of the folder, or use a port above 1023.`,
  ENOSPC: 'The disk is full.',
  ECONNREFUSED:
    'Cannot connect to PostgreSQL at DATABASE_URL. Check that the server is running and that the URL is correct.',
  ETIMEDOUT: 'PostgreSQL at DATABASE_URL does not respond. Check its address, and the firewall between.',
  ENOTFOUND: (message) => `The host of DATABASE_URL is unknown: ${message}. Check its name.`,
  EAI_AGAIN: (message) =>
    `The host of DATABASE_URL cannot be looked up: ${message}. Check its name, and the DNS server.`,
  '28P01': 'PostgreSQL rejects the user or the password of DATABASE_URL.',
  '28000': (message) => `PostgreSQL rejects the user of DATABASE_URL: ${message}. Check the role, and pg_hba.conf.`,
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

export const startErrorMessage = (error: Error): string => {
  const { code } = error as NodeJS.ErrnoException;
  if (code?.startsWith('ERR_PARSE_ARGS')) return `${error.message}. Run with --help to list the options.`;
  const sentence = code === undefined ? undefined : sentences[code];
  if (typeof sentence === 'string') return sentence;
  if (sentence) return sentence(error.message);
  // Drizzle's error contains the query, and the cause what the database says about it.
  if (error.cause instanceof Error) return startErrorMessage(error.cause);
  return error.message || code || error.name;
};
