/** What can be said to the service when it is started from a terminal. */
import { parseArgs } from 'node:util';
import { isWorkspaceKind, workspaceKinds, type WorkspaceKind } from './seed/seed.ts';

export interface CommandLine {
  port: number;
  host: string;
  data: string;
  /** Undefined: whatever is there, else the demo's. */
  seed: WorkspaceKind | undefined;
  fresh: boolean;
  allowLoopback: boolean;
}

export const usage = `Runs the local service: the Workspace Assistant API v2.

  npm run service -- [options]

  --port <number>    where it listens; 0 picks a free port (8787)
  --host <address>   on which of this machine's addresses (127.0.0.1)
  --data <folder>    where the database and the keys are kept (.data)
  --seed <name>      what a new database begins with (demo):
                       demo   a pottery studio with knowledge, products and actions
                       empty  a workspace with one agent that knows nothing yet
  --fresh            forgets what the folder holds, and begins anew
  --allow-loopback   webhooks and actions may call this machine's own servers, over http too
  --help             shows this

Environment:
  DATABASE_URL             a PostgreSQL to use instead of the embedded one
  WORKSPACE_SEAL_KEY       seals the secrets that are kept; processes that share a database share it
  WORKSPACE_MODEL_URL      an OpenAI-compatible endpoint that answers, up to and with /v1
  WORKSPACE_MODEL_NAME     the model asked there
  WORKSPACE_MODEL_KEY      its key, if it wants one`;

/** @throws With a sentence for the reader of the terminal. */
export const commandLine = (args: string[]): CommandLine | 'help' => {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string', default: '8787' },
      host: { type: 'string', default: '127.0.0.1' },
      data: { type: 'string', default: '.data' },
      seed: { type: 'string' },
      fresh: { type: 'boolean', default: false },
      'allow-loopback': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return 'help';
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65_535) {
    throw new Error(`--port takes a number from 0 to 65535, not “${values.port}”.`);
  }
  if (values.data === '') throw new Error('--data takes a folder.');
  if (values.seed !== undefined && !isWorkspaceKind(values.seed)) {
    throw new Error(`--seed takes ${workspaceKinds.join(' or ')}, not “${values.seed}”.`);
  }
  const { host, data, seed, fresh } = values;
  return { port, host, data, seed, fresh, allowLoopback: values['allow-loopback'] };
};

/** @throws With a sentence for the reader of the terminal. */
export const databaseFromEnvironment = ({
  DATABASE_URL: url,
}: Record<string, string | undefined>): string | undefined => {
  if (!url) return undefined;
  if (URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol)) return url;
  // It may hold a password, which is not for the terminal.
  throw new Error('DATABASE_URL is not the URL of a PostgreSQL database: postgres://user:password@host:5432/name');
};
