/** PgBouncer in transaction mode, in front of a PostgreSQL server of the tests. */
import { spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitForServer } from './postgres.ts';
import { freePort } from './listen.ts';

const binary = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find((path) =>
  existsSync(path),
);

export const noPgbouncerReason = 'no PgBouncer here: install it (Debian: pgbouncer)';
export const hasPgbouncer = binary !== undefined;

export interface Pgbouncer {
  /** The URL of a database behind the pooler. */
  urlOf(directUrl: string): string;
  stop(): Promise<void>;
}

export const startPgbouncer = async (directUrl: string): Promise<Pgbouncer> => {
  if (binary === undefined) throw new Error(noPgbouncerReason);
  const server = new URL(directUrl);
  const folder = mkdtempSync(join(tmpdir(), 'workspace-pgbouncer-'));
  const port = await freePort();
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(
    settings,
    [
      '[databases]',
      `* = host=${server.hostname} port=${server.port || 5432} user=${server.username}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      // Few connections, so that clients have to share them.
      'default_pool_size = 4',
      'max_client_conn = 200',
    ].join('\n'),
  );
  // PgBouncer does not run as root.
  const home = '/var/lib/postgresql';
  const isRoot = process.getuid?.() === 0;
  const { uid, gid } = isRoot && existsSync(home) ? statSync(home) : {};
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  const identity = uid === undefined || gid === undefined ? {} : { uid, gid };
  const child = spawn(binary, [settings], { ...identity, cwd: folder, stdio: 'ignore' });
  child.unref();
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);

  const urlOf = (url: string): string => {
    const pooled = new URL(url);
    pooled.host = `127.0.0.1:${port}`;
    return pooled.href;
  };
  await waitForServer(urlOf(directUrl), () => child.exitCode);
  return {
    urlOf,
    async stop() {
      child.ref();
      child.kill('SIGINT');
      child.kill('SIGTERM');
      await gone;
      process.off('exit', kill);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
