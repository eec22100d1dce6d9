/** A PostgreSQL server for tests: the one at `DATABASE_URL`, or one that is started from the installed binaries. */
import { execFile, spawn, type SpawnOptions } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from './listen.ts';

export interface PostgresServer {
  /** Creates an empty database. */
  database(): Promise<{ url: string; drop(): Promise<void> }>;
  /** Drops the created databases, and stops the server if it was started here. */
  stop(): Promise<void>;
}

export const noPostgresReason = 'no PostgreSQL here: set DATABASE_URL, or install its server (Debian: postgresql-15)';

/** Returns undefined when there is no server to use or to start. */
export const findPostgres = async (): Promise<PostgresServer | undefined> => {
  const given = process.env['DATABASE_URL'];
  if (given) return serverAt(given, async () => {});
  const binaries = binariesFolder();
  if (binaries === undefined) return undefined;
  const who = unprivileged();
  if (who === undefined) return undefined;
  return start(binaries, who);
};

/** Returns the binaries of version 15 if they are installed, otherwise the newest. */
const binariesFolder = (): string | undefined => {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).filter((name) => /^\d+$/.test(name)) : [];
  const wanted = versions.includes('15') ? '15' : versions.toSorted((a, b) => Number(b) - Number(a))[0];
  const folders = [
    ...(wanted === undefined ? [] : [join(root, wanted, 'bin')]),
    ...(process.env['PATH'] ?? '').split(':'),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
};

/** PostgreSQL does not run as root. Returns the user that owns the home directory of Debian's package. */
const unprivileged = (): { uid?: number; gid?: number } | undefined => {
  if (process.getuid?.() !== 0) return {};
  const home = '/var/lib/postgresql';
  if (!existsSync(home)) return undefined;
  const { uid, gid } = statSync(home);
  return uid === 0 ? undefined : { uid, gid };
};

const start = async (binaries: string, who: { uid?: number; gid?: number }): Promise<PostgresServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'workspace-postgres-'));
  if (who.uid !== undefined) chownSync(folder, who.uid, who.gid!);
  const data = join(folder, 'data');
  const options: SpawnOptions = { ...who, cwd: folder };
  const setUp = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  await promisify(execFile)(join(binaries, 'initdb'), setUp, { ...who, cwd: folder });
  const port = await freePort();
  // Durability is off, because the tests do not need it.
  const settings = ['fsync=off', 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`];
  const server = spawn(
    join(binaries, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { ...options, stdio: 'ignore' },
  );
  // Does not keep the test process alive.
  server.unref();
  const gone = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const kill = () => {
    server.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  process.once('exit', kill);
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await waitForServer(url, () => server.exitCode);
  return serverAt(url, async () => {
    server.ref();
    server.kill('SIGINT');
    await gone;
    process.off('exit', kill);
    rmSync(folder, { recursive: true, force: true });
  });
};

const serverAt = (url: string, stop: () => Promise<void>): PostgresServer => {
  const made = new Set<string>();
  const run = async (command: string) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(command).finally(() => client.end());
  };
  const drop = async (name: string) => {
    made.delete(name);
    await run(`drop database if exists ${name} with (force)`);
  };
  return {
    async database() {
      const name = `workspace_test_${process.pid}_${Date.now().toString(36)}_${made.size}`;
      await run(`create database ${name}`);
      made.add(name);
      const own = new URL(url);
      own.pathname = `/${name}`;
      return { url: own.href, drop: () => drop(name) };
    },
    async stop() {
      for (const name of made) await drop(name);
      await stop();
    },
  };
};

export const waitForServer = async (url: string, exitCode: () => number | null): Promise<void> => {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (exitCode() !== null) break;
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error('The database server did not start.');
};
