/** The command-line options of the service. */
import { parseArgs } from 'node:util';
import { addressRanges } from './http/caller-address.ts';
import { isWorkspaceKind, workspaceKinds, type WorkspaceKind } from './seed/seed.ts';

export interface CommandLine {
  port: number;
  host: string;
  data: string;
  /** Undefined keeps an existing workspace, or creates the demo workspace. */
  seed: WorkspaceKind | undefined;
  fresh: boolean;
  allowLoopback: boolean;
}

export const usage = `Runs the local service: the Workspace Assistant API v2.

  npm run service -- [options]

  --port <number>    the port to listen on; 0 selects a free port (default: 8787)
  --host <address>   the address to listen on (default: 127.0.0.1)
  --data <folder>    the folder of the database and the keys (default: .data)
  --seed <name>      the workspace of a new database (default: demo):
                       demo   a pottery studio with knowledge, products and actions
                       empty  a workspace with one agent and no knowledge
  --fresh            delete the data in the folder before the start
  --allow-loopback   let webhooks and actions call servers of this machine, also over http
  --help             print this help

Environment:
  DATABASE_URL               a PostgreSQL database to use instead of the embedded one
  TRUST_PROXY                the addresses of your proxies in CIDR notation, separated by commas: 10.0.0.0/8,::1/128;
                             their X-Forwarded-For header then names the caller, for the limits of publishable keys
  WORKSPACE_ENCRYPTION_KEY   encrypts stored secrets; processes that share a database need the same key
                             (alias of older versions: WORKSPACE_SEAL_KEY)
  WORKSPACE_MODEL_URL        the base URL of an OpenAI-compatible API, including /v1
  WORKSPACE_MODEL_NAME       the name of the model
  WORKSPACE_MODEL_KEY        the API key of the endpoint, if it needs one`;

/** @throws {Error} With a message for the terminal. */
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

/** @throws {Error} With a message for the terminal. */
export const databaseFromEnvironment = ({
  DATABASE_URL: url,
}: Record<string, string | undefined>): string | undefined => {
  if (!url) return undefined;
  if (URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol)) return url;
  // The URL may contain a password, so the message does not repeat it.
  throw new Error('DATABASE_URL is not the URL of a PostgreSQL database: postgres://user:password@host:5432/name');
};

/** @throws {Error} With a message for the terminal. */
export const proxiesFromEnvironment = ({ TRUST_PROXY: value }: Record<string, string | undefined>): string[] => {
  const ranges = (value ?? '').split(',').flatMap((range) => (range.trim() === '' ? [] : [range.trim()]));
  addressRanges(ranges);
  return ranges;
};
