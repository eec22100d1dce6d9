/** Writes the log: JSON for a log collector, or lines for a person at a terminal. */
import pino from 'pino';
import type { Log, LogEntry } from './core/log.ts';

export const logFormats = ['auto', 'json', 'pretty'] as const;

export interface LogOptions {
  format: (typeof logFormats)[number];
  level: LogEntry['level'];
  /** Whether a person reads the output. */
  isTerminal: boolean;
  write(line: string): void;
}

export const createLog = ({ format, level, isTerminal, write }: LogOptions): Log => {
  const isPretty = format === 'pretty' || (format === 'auto' && isTerminal);
  const logger = pino(
    {
      level,
      // A message would be a second name of the event.
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: isPretty ? (line: string) => write(prettyLine(JSON.parse(line) as PrintedEntry)) : write },
  );
  return ({ level: severity, ...entry }) => logger[severity](entry);
};

type PrintedEntry = LogEntry & { time: string };

/** `10:02:11 POST /api/v2/agents/:agent_id/chat 200 34 ms`. Every other entry has its event and its details. */
const prettyLine = ({ time, level, event, ...details }: PrintedEntry): string => {
  const clock = time.slice(11, 19);
  const mark = level === 'info' ? '' : ` ${level.toUpperCase()}`;
  if (event === 'request') {
    const { method, route, status, milliseconds } = details;
    return `${clock}${mark} ${String(method)} ${String(route)} ${String(status)} ${String(milliseconds)} ms\n`;
  }
  const texts = Object.entries(details).map(([name, value]) => {
    return `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`;
  });
  return `${[`${clock}${mark}`, event, ...texts].join(' ')}\n`;
};
