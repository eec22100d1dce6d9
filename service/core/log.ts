/** The structured log. An entry never contains an API key, a token or the text of a visitor. */

export interface LogEntry {
  level: 'info' | 'warn' | 'error';
  event: string;
  request_id?: string;
  [detail: string]: unknown;
}

export type Log = (entry: LogEntry) => void;

/** Returns the stack of an error, or the text of any other thrown value. */
export const errorText = (error: unknown): string => {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};
