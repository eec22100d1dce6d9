/** Checks of what the service depends on besides its database: the disk, other hosts, and the mail server. */
import { statfs } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { eq } from 'drizzle-orm';
import type { ReadDatabase } from '../db/read.ts';
import { actions, webhookEndpoints } from '../db/schema.ts';
import { hostnameOf, resolveHost } from '../egress/address.ts';
import type { Mailer } from '../mail/email.ts';
import type { Provider } from '../sign-in/provider.ts';
import { failed, ok, warning, type Check } from './check.ts';
import { afterMigration } from './database.ts';

const gibibyte = 1024 ** 3;
const [suspectSpace, minSpace] = [1, 0.1];
const connectTimeoutMs = 5000;
/** Hosts of webhooks and actions that are tried. */
const maxHosts = 20;

export const diskCheck = (folder: string): Check => ({
  name: 'disk',
  run: async () => {
    const { bavail, bsize } = await statfs(folder).catch(() => statfs(dirname(folder)));
    const free = (bavail * bsize) / gibibyte;
    const text = `${free.toFixed(1)} GiB free at ${folder}`;
    if (free < minSpace) return failed(`${text}. Free some space.`);
    return free < suspectSpace ? warning(`${text}.`) : ok(text);
  },
});

export const mailCheck = (mailer: Mailer | undefined): Check => ({
  name: 'mail',
  run: async () => {
    if (!mailer) return ok('No mail server is configured. Notices are stored only.');
    try {
      await mailer.verify();
      return ok('The mail server accepts the user.');
    } catch (error) {
      const { code } = error as { code?: string };
      return failed(
        `The mail server does not accept the connection or the user (${code ?? 'unknown'}). Check SMTP_URL.`,
      );
    }
  },
});

export const signInCheck = (provider: Pick<Provider, 'verify'>): Check => ({
  name: 'sign-in',
  run: async () => {
    try {
      await provider.verify();
      return ok('The OpenID provider describes itself.');
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      return failed(`The OpenID provider does not describe itself (${code ?? message}). Check OIDC_ISSUER.`);
    }
  },
});

/** The endpoints of the operator's own settings, by the name of their variable. */
export const endpointCheck = (variable: string, url: string): Check => ({
  name: 'egress',
  run: async () => {
    const endpoint = new URL(url);
    const isReached = await isReachable(hostnameOf(endpoint), portOf(endpoint));
    return isReached ? ok(`${variable} is reachable.`) : failed(`${variable} is not reachable: ${endpoint.hostname}.`);
  },
});

/** Webhooks and actions belong to the workspace, so one that is not reachable is only a warning. */
export const egressCheck = (database: ReadDatabase, allowLoopback: boolean): Check => ({
  name: 'egress',
  run: afterMigration(database, async () => {
    const { db, migrations } = database;
    if ((await migrations()).applied.length === 0) return ok('There are no webhooks and no actions.');
    const endpoints = await db
      .select({ url: webhookEndpoints.url })
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.enabled, true));
    const templates = await db.select({ url: actions.urlTemplate }).from(actions).where(eq(actions.enabled, true));
    const urls = [...endpoints, ...templates].flatMap(({ url }) => (URL.canParse(url) ? [new URL(url)] : []));
    const hosts = [...new Map(urls.map((url) => [url.host, url])).values()].slice(0, maxHosts);
    const results = await Promise.all(hosts.map((url) => problemOf(url, allowLoopback)));
    const problems = results.filter((problem) => problem !== undefined);
    if (problems.length > 0) return warning(`Webhooks and actions cannot reach ${problems.join(', ')}.`);
    return ok(`The hosts of webhooks and actions are reachable (${hosts.length}).`);
  }),
});

const problemOf = async (url: URL, allowLoopback: boolean): Promise<string | undefined> => {
  const found = await resolveHost(url, allowLoopback, AbortSignal.timeout(connectTimeoutMs));
  if (typeof found === 'string') return `${url.host} (${found})`;
  const reached = await Promise.all(found.map(({ address }) => isReachable(address, portOf(url))));
  return reached.includes(true) ? undefined : `${url.host} (unreachable)`;
};

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));

const isReachable = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: connectTimeoutMs });
    const end = (isConnected: boolean) => {
      socket.destroy();
      resolve(isConnected);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
