import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { sql, type SQL } from 'drizzle-orm';
import { Client } from 'pg';
import { openForReading } from '../../service/db/read.ts';
import { startErrorMessage } from '../../service/start-errors.ts';
import { createOlderDatabase, olderMigrations } from '../support/servers/older-database.ts';
import { findPostgres, noPostgresReason } from '../support/servers/postgres.ts';
import { createTestService, useFolders, type TestService } from './support.ts';

const folder = useFolders();

const messageOfStart = async (options: Parameters<typeof createTestService>[0]): Promise<string> => {
  let started: TestService;
  try {
    started = await createTestService(options);
  } catch (error) {
    return startErrorMessage(error as Error, 'database');
  }
  await started.service.close();
  return 'The service has started.';
};

describe('a start that fails', () => {
  it('names an unknown host, and never the password', async () => {
    const message = await messageOfStart({ databaseUrl: 'postgres://a:secret@nowhere.invalid/workspace' });
    assert.match(message, /host of DATABASE_URL (is unknown|cannot be looked up)/);
    assert.doesNotMatch(message, /secret/);
  });

  it('names an encryption key that is not that of the database, until the operator gives the secrets up', async () => {
    const dataDir = folder();
    const first = await createTestService({ dataDir, encryptionKey: 'first', workspace: 'empty' });
    const lostKey = first.service.demo.secretKey;
    await first.service.close();
    rmSync(join(dataDir, 'keys.json'));
    const wrong = { dataDir, encryptionKey: 'other' };
    assert.match(await messageOfStart(wrong), /encryption key does not decrypt the secrets.*--replace-secrets/);
    assert.equal(await messageOfStart({ ...wrong, replacesSecrets: true }), 'The service has started.');
    const last = await createTestService(wrong);
    assert.notEqual(last.service.demo.secretKey, lostKey);
    assert.equal((await last.api('GET', '/me')).status, 200);
    await last.service.close();
  });

  it('checks the encryption key before it migrates a database of an older version, and stores no new key', async () => {
    const dataDir = folder();
    await createOlderDatabase(dataDir, 'first');
    const count = async () => {
      const database = (await openForReading(dataDir, undefined))!;
      const { applied } = await database.migrations();
      await database.close();
      return applied.length;
    };
    for (const wrong of [{ dataDir, encryptionKey: 'other' }, { dataDir }]) {
      assert.match(await messageOfStart(wrong), /encryption key does not decrypt the secrets/);
      assert.equal(await count(), olderMigrations);
    }
    assert.equal(existsSync(join(dataDir, 'encryption.key')), false);
  });

  it('refuses an embedded database that a newer version has migrated, and changes nothing in it', async () => {
    const dataDir = folder();
    const first = await createTestService({ dataDir, workspace: 'empty' });
    await first.service.db.execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9999999999999)`,
    );
    await first.service.close();
    const applied = async (change?: SQL) => {
      const database = (await openForReading(dataDir, undefined))!;
      await database.db.execute(sql`set default_transaction_read_only = off`);
      if (change) await database.db.execute(change);
      const found = (await database.migrations()).applied;
      await database.close();
      return found;
    };
    const before = await applied();
    assert.match(await messageOfStart({ dataDir }), /migrated by a newer version.*Start that version/);
    assert.deepEqual(await applied(), before);
    await applied(sql`delete from drizzle.__drizzle_migrations where hash = 'later'`);
    assert.equal(await messageOfStart({ dataDir }), 'The service has started.', 'the folder is not locked');
  });
});

const server = await findPostgres();

describe('a start that fails on PostgreSQL', { skip: server ? false : noPostgresReason }, () => {
  after(() => server?.stop());

  /** A database, and a connection to it that may change the server. */
  const prepared = async (...statements: string[]) => {
    const { url } = await server!.database();
    const client = new Client({ connectionString: url });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
    return new URL(url);
  };

  for (const [what, change, complaint, ...statements] of [
    ['a database that does not exist', { pathname: '/none_of_this_name' }, /does not exist.*createdb/],
    ['a role that does not exist', { username: 'nobody_of_this_name' }, /PostgreSQL rejects the user.*role/],
    [
      'missing rights',
      { username: 'visitor_only' },
      /too few rights: permission denied.*owner/,
      'drop role if exists visitor_only',
      'create role visitor_only login',
    ],
    [
      'an encoding that cannot store every language',
      { pathname: '/latin_only' },
      /encoding LATIN1.*--encoding UTF8/,
      'drop database if exists latin_only',
      `create database latin_only template template0 encoding 'LATIN1' locale 'C'`,
    ],
  ] as const)
    it(`names ${what}`, async () => {
      const url = await prepared(...statements);
      Object.assign(url, change);
      assert.match(await messageOfStart({ databaseUrl: url.href }), complaint);
    });
});
