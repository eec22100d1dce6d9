/** Every setting of the service: its option, its environment variable, its default, and how its value is checked. */
import { maxRetentionDays } from './contacts/retention.ts';
import { addressRanges } from './http/caller-address.ts';
import { logFormats } from './log-output.ts';
import { defaultMinSimilarity } from './model/settings.ts';
import { isLongerThan } from '../contract/characters.ts';
import { isTimeZone } from './core/time-zone.ts';
import { namelessWorkspace, workspaceKinds } from './seed/seed.ts';

/** @throws {Error} With a message for the terminal, which starts with the name of the setting. */
type Parse<Value> = (text: string, name: string) => Value;

export interface Setting<Value = unknown> {
  /** The command-line option, without its dashes. */
  option?: string;
  variable?: string;
  /** The placeholder of the value in the help. A setting without one is a switch. */
  value?: string;
  default?: string;
  help: string[];
  parse: Parse<Value>;
}

const text: Parse<string> = (given) => given;
const flag: Parse<boolean> = (given, name) => {
  if (['', 'false', '0'].includes(given)) return false;
  if (['true', '1'].includes(given)) return true;
  throw new Error(`${name} takes true or false, not “${given}”.`);
};

const wholeNumber = (from: number, to: number): Parse<number> => {
  return (given, name) => {
    const number = Number(given);
    if (/^\d+$/.test(given) && number >= from && number <= to) return number;
    throw new Error(`${name} takes a number from ${from} to ${to}, not “${given}”.`);
  };
};

const share: Parse<number> = (given, name) => {
  const number = Number(given);
  if (/^[\d.]+$/.test(given) && number >= 0 && number <= 1) return number;
  throw new Error(`${name} takes a number from 0 to 1, not “${given}”.`);
};

const oneOf = <const Value extends string>(values: readonly Value[]): Parse<Value> => {
  return (given, name) => {
    const found = values.find((value) => value === given);
    if (found !== undefined) return found;
    throw new Error(`${name} takes ${values.join(' or ')}, not “${given}”.`);
  };
};

/** The URL may contain a password, so the message does not repeat it. */
const databaseUrl: Parse<string> = (given, name) => {
  if (URL.canParse(given) && /^postgres(ql)?:$/.test(new URL(given).protocol)) return given;
  throw new Error(`${name} is not the URL of a PostgreSQL database: postgres://user:password@host:5432/name`);
};

/** The URL may contain a password, so the message does not repeat it. */
const smtpUrl: Parse<string> = (given, name) => {
  if (URL.canParse(given) && /^smtps?:$/.test(new URL(given).protocol)) return given;
  throw new Error(`${name} is not the URL of a mail server: smtps://user:password@mail.example`);
};

const sender: Parse<string> = (given, name) => {
  if (/^[^\s<>@]+@[^\s<>@]+$|^[^<>\n]*<[^\s<>@]+@[^\s<>@]+>$/.test(given)) return given;
  throw new Error(`${name} takes an address, as in Workspace <no-reply@example.com>, not “${given}”.`);
};

const httpUrl: Parse<string> = (given, name) => {
  if (URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)) return given;
  throw new Error(`${name} is not an http(s) URL: “${given}”.`);
};

const timeZone: Parse<string> = (given, name) => {
  if (isTimeZone(given)) return given;
  throw new Error(`${name} takes a time zone, as in Asia/Muscat, not “${given}”.`);
};

const emailAddress: Parse<string> = (given, name) => {
  if (/^[^\s<>@]+@[^\s<>@]+$/.test(given)) return given;
  throw new Error(`${name} takes an e-mail address, not “${given}”.`);
};

/** The longest name that the operations of the team accept. */
const maxNameLength = 120;

const named = (variable: string, initial: string, help: string): Setting<string> & { default: string } => ({
  variable,
  default: initial,
  help: [help],
  parse: (given, name) => {
    if (given.trim() !== '' && !isLongerThan(given, maxNameLength)) return given.trim();
    throw new Error(`${name} takes 1 to ${maxNameLength} characters.`);
  },
});

const addresses: Parse<string[]> = (given) => {
  const ranges = given.split(',').flatMap((range) => (range.trim() === '' ? [] : [range.trim()]));
  addressRanges(ranges);
  return ranges;
};

const port = wholeNumber(0, 65_535);
const days = wholeNumber(0, maxRetentionDays);
const define = <const Settings extends Record<string, Setting>>(settings: Settings): Settings => settings;

export const settings = define({
  port: {
    option: 'port',
    variable: 'WORKSPACE_PORT',
    value: '<number>',
    default: '8787',
    help: ['the port to listen on; 0 selects a free port'],
    parse: port,
  },
  host: {
    option: 'host',
    variable: 'WORKSPACE_HOST',
    value: '<address>',
    default: '127.0.0.1',
    help: ['the address to listen on'],
    parse: text,
  },
  data: {
    option: 'data',
    variable: 'WORKSPACE_DATA',
    value: '<folder>',
    default: '.data',
    help: ['the folder of the database and the keys'],
    parse: text,
  },
  seed: {
    option: 'seed',
    variable: 'WORKSPACE_SEED',
    value: '<name>',
    help: [
      'the workspace of a new database: empty (the default), one agent without',
      'knowledge (WORKSPACE_NAME and the variables after it name these),',
      'or demo, a pottery studio with knowledge, products and actions',
    ],
    parse: oneOf(workspaceKinds),
  },
  workspaceName: named(
    'WORKSPACE_NAME',
    namelessWorkspace.name,
    'in a new empty workspace: the name of the new workspace',
  ),
  ownerName: named(
    'WORKSPACE_OWNER_NAME',
    namelessWorkspace.ownerName,
    'in a new empty workspace: the name of its owner',
  ),
  ownerEmail: {
    variable: 'WORKSPACE_OWNER_EMAIL',
    default: namelessWorkspace.ownerEmail,
    help: ["in a new empty workspace: the owner's address, which gets the notices"],
    parse: emailAddress,
  },
  agentName: named(
    'WORKSPACE_AGENT_NAME',
    namelessWorkspace.agentName,
    'in a new empty workspace: the name of its agent',
  ),
  timeZone: {
    variable: 'WORKSPACE_TIME_ZONE',
    default: namelessWorkspace.timeZone,
    help: ["in a new empty workspace: the agent's time zone, as in Asia/Muscat"],
    parse: timeZone,
  },
  language: {
    variable: 'WORKSPACE_LANGUAGE',
    default: namelessWorkspace.language,
    help: ["in a new empty workspace: the agent's language: english, arabic or bilingual"],
    parse: oneOf(['english', 'arabic', 'bilingual']),
  },
  fresh: { option: 'fresh', help: ['delete the data in the folder before the start'], parse: flag },
  allowLoopback: {
    option: 'allow-loopback',
    variable: 'WORKSPACE_ALLOW_LOOPBACK',
    help: ['let webhooks and actions call servers of this machine, also over http'],
    parse: flag,
  },
  development: {
    option: 'development',
    variable: 'WORKSPACE_DEVELOPMENT',
    help: ['allow POST /team/clock and POST /team/faults, which move the time and break calls'],
    parse: flag,
  },
  metricsPort: {
    option: 'metrics-port',
    variable: 'WORKSPACE_METRICS_PORT',
    value: '<number>',
    help: ['serve /metrics for Prometheus on this port; without it there are no metrics'],
    parse: port,
  },
  metricsHost: {
    option: 'metrics-host',
    variable: 'WORKSPACE_METRICS_HOST',
    value: '<address>',
    default: '127.0.0.1',
    help: ['the address of /metrics, which is not protected by a key'],
    parse: text,
  },
  logFormat: {
    option: 'log-format',
    variable: 'WORKSPACE_LOG_FORMAT',
    value: '<name>',
    default: 'auto',
    help: ['json, pretty, or auto: pretty on a terminal, otherwise json'],
    parse: oneOf(logFormats),
  },
  logLevel: {
    option: 'log-level',
    variable: 'WORKSPACE_LOG_LEVEL',
    value: '<name>',
    default: 'info',
    help: ['info, warn or error; info has a line for each request'],
    parse: oneOf(['info', 'warn', 'error']),
  },
  hideKeys: {
    option: 'hide-keys',
    variable: 'WORKSPACE_HIDE_KEYS',
    help: ['print the path of the file with the first keys, and not the keys'],
    parse: flag,
  },
  drainSeconds: {
    option: 'drain-seconds',
    variable: 'WORKSPACE_DRAIN_SECONDS',
    value: '<number>',
    default: '20',
    help: ['how long running turns may take to finish after SIGTERM'],
    parse: wholeNumber(0, 3600),
  },
  deep: {
    option: 'deep',
    help: ['with check: also counts the rows, and checks every reference and index, as after a restore'],
    parse: flag,
  },
  envFile: {
    option: 'env-file',
    value: '<file>',
    help: ['read variables from a file; those of the environment win'],
    parse: text,
  },
  databaseUrl: {
    variable: 'DATABASE_URL',
    help: ['a PostgreSQL database to use instead of the embedded one'],
    parse: databaseUrl,
  },
  directDatabaseUrl: {
    variable: 'DATABASE_DIRECT_URL',
    help: ['the same database past a pooler in transaction mode, for migrations and LISTEN'],
    parse: databaseUrl,
  },
  trustProxy: {
    variable: 'TRUST_PROXY',
    default: '',
    help: [
      'the addresses of your proxies in CIDR notation, separated by commas: 10.0.0.0/8,::1/128;',
      'their X-Forwarded-For header then names the caller, for the limits of publishable keys',
    ],
    parse: addresses,
  },
  encryptionKey: {
    variable: 'WORKSPACE_ENCRYPTION_KEY',
    help: [
      'encrypts stored secrets; processes that share a database need the same key',
      '(alias of older versions: WORKSPACE_SEAL_KEY)',
    ],
    parse: text,
  },
  previousEncryptionKey: {
    variable: 'WORKSPACE_ENCRYPTION_KEY_PREVIOUS',
    help: ['the key before this one; at its start, the service encrypts stored secrets again'],
    parse: text,
  },
  conversationRetentionDays: {
    variable: 'CONVERSATION_RETENTION_DAYS',
    default: '0',
    help: [
      'deletes conversations that ended this many days ago, with their messages; 0 keeps them',
      '(a workspace can have its own number)',
    ],
    parse: days,
  },
  contactRetentionDays: {
    variable: 'CONTACT_RETENTION_DAYS',
    default: '0',
    help: ['deletes contacts without a conversation, lead or ticket that were last seen this many days ago'],
    parse: days,
  },
  replaceSecrets: {
    option: 'replace-secrets',
    variable: 'WORKSPACE_REPLACE_SECRETS',
    help: ['start although the encryption key is lost, and every stored secret with it'],
    parse: flag,
  },
  modelUrl: {
    variable: 'WORKSPACE_MODEL_URL',
    help: ['the base URL of an OpenAI-compatible API, including /v1'],
    parse: httpUrl,
  },
  modelName: { variable: 'WORKSPACE_MODEL_NAME', help: ['the name of the model'], parse: text },
  modelKey: { variable: 'WORKSPACE_MODEL_KEY', help: ['the API key of the endpoint, if it needs one'], parse: text },
  embeddingModel: {
    variable: 'WORKSPACE_EMBEDDING_MODEL',
    help: ['the name of a model for embeddings at the same endpoint, which finds passages by their meaning'],
    parse: text,
  },
  minSimilarity: {
    variable: 'WORKSPACE_EMBEDDING_MIN_SIMILARITY',
    default: String(defaultMinSimilarity),
    help: [
      'the least cosine similarity of a passage that replies to a question, from 0 to 1;',
      'it differs between models',
    ],
    parse: share,
  },
  smtpUrl: {
    variable: 'SMTP_URL',
    help: ['the mail server that sends notices to the team: smtps://user:password@mail.example'],
    parse: smtpUrl,
  },
  mailFrom: {
    variable: 'MAIL_FROM',
    help: ['the sender of these e-mails: Workspace <no-reply@example.com>'],
    parse: sender,
  },
  teamUrl: {
    variable: 'TEAM_URL',
    help: ['the address of your team page, for the links in e-mails and for the sign-in'],
    parse: httpUrl,
  },
  signInIssuer: {
    variable: 'OIDC_ISSUER',
    help: ['the OpenID provider with which members sign in to the team page: https://login.example.com'],
    parse: httpUrl,
  },
  signInClientId: {
    variable: 'OIDC_CLIENT_ID',
    help: ['the client id that the provider has given to the service'],
    parse: text,
  },
  signInClientSecret: {
    variable: 'OIDC_CLIENT_SECRET',
    help: ["the client's secret, if it has one"],
    parse: text,
  },
  signInRedirectUrl: {
    variable: 'OIDC_REDIRECT_URL',
    help: ['where the provider sends members back: your public address of /team/sign-in/callback'],
    parse: httpUrl,
  },
  signInRoleClaim: {
    variable: 'OIDC_ROLE_CLAIM',
    default: 'roles',
    help: ['the claim with the role, or a path to it: admin, editor, agent or viewer'],
    parse: text,
  },
  signInScope: {
    variable: 'OIDC_SCOPE',
    default: 'openid email profile',
    help: ['the scopes to request, separated by spaces; openid is needed'],
    parse: text,
  },
  traceUrl: {
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    help: ['the base URL of an OpenTelemetry collector (OTLP over HTTP), which receives traces'],
    parse: httpUrl,
  },
});

export type Settings = typeof settings;
