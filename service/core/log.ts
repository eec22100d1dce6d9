/**
 * The structured log. An entry never contains an API key, a token, the text of a visitor, or an e-mail address, a name or a
 * phone number of a contact.
 */

export interface LogEntry {
  level: 'info' | 'warn' | 'error';
  event: string;
  request_id?: string;
  [detail: string]: unknown;
}

export type Log = (entry: LogEntry) => void;

/** Errors of the engine whose message never quotes data. A `SyntaxError` quotes the JSON that it cannot parse. */
const classesWithSafeMessages: unknown[] = [Error, TypeError, RangeError, ReferenceError];

/**
 * Describes an error for the log. Errors of the database and of libraries quote the data that caused them, so they are
 * described by their class, their code, the name of the query and the stack.
 * @param described The errors that this one has caused.
 */
export const errorText = (error: unknown, described: readonly unknown[] = []): string => {
  if (!(error instanceof Error)) return typeof error;
  const isSafe = classesWithSafeMessages.includes(error.constructor) && !isOfDatabase(error);
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const seen = [...described, error];
  const hasCause = error.cause !== undefined && !seen.includes(error.cause);
  const cause = hasCause ? [`caused by ${errorText(error.cause, seen)}`] : [];
  return [[error.name, ...(isSafe ? [error.message] : []), ...details(error)].join(' '), ...frames, ...cause].join(
    '\n',
  );
};

/** The fields that both database drivers set. */
const isOfDatabase = (error: object): boolean => 'severity' in error || 'query' in error;

/** Members with identifiers of the program, not with data. */
const details = (error: object): string[] => {
  const named = ['code', 'statusCode', 'table', 'constraint', 'column'].flatMap((name) => {
    const value = (error as Record<string, unknown>)[name];
    return typeof value === 'string' || typeof value === 'number' ? [`${name}=${value}`] : [];
  });
  const query = 'query' in error && typeof error.query === 'string' ? [`query=${queryName(error.query)}`] : [];
  return [...query, ...named];
};

/** Returns the name of a query: `insert contacts`. */
const queryName = (query: string): string => {
  const verb = /^\s*(\w+)/.exec(query)?.[1] ?? 'unknown';
  const table = /\b(?:from|into|update|table)\s+"?(\w+)/i.exec(query)?.[1];
  return [verb.toLowerCase(), ...(table === undefined ? [] : [table])].join(' ');
};
