/** Recognizes that the database cannot do its work at the moment, unlike an error of a query, and waits until it can. */
import { pause } from '../core/waiting.ts';

/** Codes of PostgreSQL (SQLSTATE): whole classes, and single ones. */
const states = /^(?:08|53|58)...$|^(?:25006|40001|40P01|55P03|57014|57P0[123])$/;

/** Codes of a connection that could not be opened, or was lost. */
const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** The driver has no codes for these. */
const messagesOfDriver = new Set([
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
]);

/** Whether an error, or one of its causes, says that the database is down, full, out of connections, or too slow. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && (states.test(code) || connectionCodes.has(code))) return true;
  return messagesOfDriver.has(error.message) || isDatabaseUnavailable(error.cause);
};

/** Milliseconds for which work is repeated: a restart of the database, or the change to another server. */
const outageMs = 30_000;
const intervalMs = 1000;

/** Repeats work while the database is unavailable, for a limited time. The work is not done, or done whole. */
export const untilAvailable = async <Value>(work: () => Promise<Value>, signal: AbortSignal): Promise<Value> => {
  const end = performance.now() + outageMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || signal.aborted || performance.now() > end) throw error;
    }
    await pause(intervalMs, signal);
  }
};
