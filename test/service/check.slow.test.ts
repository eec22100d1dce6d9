import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { after, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eq, sql } from 'drizzle-orm';
import { Client } from 'pg';
import { checkInstallation } from '../../service/check-installation.ts';
import { databaseChecks } from '../../service/checks/database.ts';
import { readConfiguration, type Configuration } from '../../service/configuration.ts';
import { queryRows } from '../../service/db/database.ts';
import { openForReading } from '../../service/db/read.ts';
import { actions, webhookEndpoints, workspaces } from '../../service/db/schema.ts';
import { hasPgbouncer, noPgbouncerReason, startPgbouncer } from '../support/servers/pgbouncer.ts';
import { findPostgres, noPostgresReason } from '../support/servers/postgres.ts';
import { createOlderDatabase } from '../support/servers/older-database.ts';
import { useMailServer } from './mail-server.ts';
import { createTestService, useFolders } from './support.ts';

const mail = useMailServer();
const newFolder = useFolders();
const folder = newFolder();
const server = await findPostgres();
after(() => server?.stop());

const check = async (args: string[] = [], environment: Record<string, string> = {}) => {
  const lines: string[] = [];
  const configuration = readConfiguration(['check', '--data', folder, ...args], environment) as Configuration;
  const hasPassed = await checkInstallation(configuration, (line) => void lines.push(line));
  const verdicts: [string, string][] = lines.map((line) => [line.slice(9, 20).trim(), line.slice(0, 8).trim()]);
  return { hasPassed, lines, of: Object.fromEntries(verdicts), text: lines.join('\n') };
};
/** Changes the database as a service that runs, and stops it. */
const change = async (
  work: (db: Awaited<ReturnType<typeof createTestService>>['service']['db']) => Promise<unknown>,
) => {
  const service = await createTestService({ dataDir: folder });
  await work(service.service.db);
  await service.service.close();
};

describe('the check of an installation', () => {
  beforeEach(() => {
    mail.rejectsWith = undefined;
  });

  it('passes before the first start, and creates nothing', async () => {
    const { hasPassed, text } = await check();
    assert.ok(hasPassed, text);
    assert.match(text, /There is no embedded database yet/);
    assert.ok(!text.includes('keys'));
  });

  it('fails where the first start could not create a database', async () => {
    const { hasPassed, text } = await check(['--data', fileURLToPath(import.meta.url)]);
    assert.equal(hasPassed, false);
    assert.match(text, /^failed +database +The data folder .* cannot be used: ENOTDIR/m);
  });

  it('warns of a variable that the service does not know', async () => {
    const { hasPassed, text } = await check([], { CONVERSATON_RETENTION_DAYS: '5' });
    assert.ok(hasPassed, text);
    assert.match(text, /^warning +settings .*CONVERSATON_RETENTION_DAYS: CONVERSATION_RETENTION_DAYS is meant/m);
  });

  it('says why the database cannot be checked while a service uses the folder', async () => {
    await change(async () => {
      const { hasPassed, text } = await check();
      assert.equal(hasPassed, false);
      assert.match(text, /^failed +database +The data folder .* is in use by another service/m);
    });
  });

  it('examines the database, the migrations, the clock, the keys, other hosts, the disk and the mail server', async () => {
    const environment = { SMTP_URL: mail.url, MAIL_FROM: 'a@b.example' };
    const { of, text } = await check(['--deep', '--allow-loopback'], environment);
    for (const name of ['database', 'migrations', 'clock', 'keys', 'disk', 'mail', 'tables', 'references', 'indexes']) {
      assert.equal(of[name], 'ok', text);
    }
    assert.match(text, /decrypts the stored secrets \([1-9]\d*\)/);
    assert.match(text, /tables .*agents 2, .*workspaces 1/);
    const wrong = await check([], { ...environment, SMTP_URL: mail.url.replace('secret', 'wrong') });
    assert.match(wrong.text, /^failed +mail .*EAUTH/m);
    assert.ok(!wrong.text.includes('wrong'), 'no password');
  });

  it('fails for a key of another database, and for one secret that cannot be decrypted', async () => {
    const { hasPassed, text } = await check([], { WORKSPACE_ENCRYPTION_KEY: 'another key' });
    assert.equal(hasPassed, false);
    assert.match(text, /^failed +keys +(\d+) of \1 secrets .*WORKSPACE_ENCRYPTION_KEY/m);
    await change((db) => db.update(actions).set({ encryptedHeaders: 'lost' }));
    assert.match((await check()).text, /^failed +keys +\d+ of \d+ secrets cannot be decrypted/m);
    await change((db) => db.update(actions).set({ encryptedHeaders: null }));
  });

  it('warns of a key that could be guessed', async () => {
    const data = newFolder();
    await createOlderDatabase(data, 'my password');
    const { hasPassed, text } = await check(['--data', data], { WORKSPACE_ENCRYPTION_KEY: 'my password' });
    assert.ok(hasPassed, text);
    assert.match(text, /^warning +keys .*openssl rand -base64 32/m);
  });

  it('warns of hosts that webhooks cannot reach', async () => {
    const endpoint = { id: 'whk_x', workspaceId: 'wsp_palm_and_clay', url: 'https://nowhere.invalid/hook', events: [] };
    const encryptedSecret = '';
    await change((db) =>
      db.insert(webhookEndpoints).values({ ...endpoint, encryptedSecret, enabled: true, createdAt: new Date(0) }),
    );
    assert.match((await check()).text, /^warning +egress .*nowhere\.invalid \(unresolved\)/m);
    await change((db) => db.delete(webhookEndpoints).where(eq(webhookEndpoints.id, 'whk_x')));
    const { text } = await check([], { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
    assert.match(text, /^failed +egress +OTEL_EXPORTER_OTLP_ENDPOINT is not reachable/m);
  });

  it('reaches an endpoint by its IPv6 address', async () => {
    const server = createServer().listen(0, '::1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { text } = await check([], { OTEL_EXPORTER_OTLP_ENDPOINT: `http://[::1]:${port}` });
    server.close();
    assert.match(text, /^ok +egress +OTEL_EXPORTER_OTLP_ENDPOINT is reachable/m);
  });

  it('finds rows and constraints that a restore has left out, and changes nothing', async () => {
    await change(async (db) => {
      await db.execute(sql`alter table agents drop constraint agents_workspace_id_workspaces_id_fk`);
      await db.execute(sql`drop index agents_page`);
      await db.update(workspaces).set({ name: 'As before' });
      await db.execute(sql`insert into agents (id, workspace_id, name, status, language, public_key, time_zone, created_at, updated_at)
        values ('agt_lost', 'wsp_lost', 'Lost', 'live', 'english', 'pk_lost', 'UTC', now(), now())`);
    });
    const { hasPassed, text } = await check(['--deep']);
    assert.equal(hasPassed, false);
    assert.match(
      text,
      /^failed +references .*agents_workspace_id_workspaces_id_fk is missing; 1 rows of agents refer/m,
    );
    assert.match(text, /^failed +indexes +Missing or not valid: agents_page/m);
    const database = (await openForReading(folder, undefined))!;
    await assert.rejects(database.db.update(workspaces).set({ name: 'Changed' }), 'the connection only reads');
    assert.equal((await database.db.select().from(workspaces))[0]!.name, 'As before');
    const drifted = databaseChecks(database, undefined, () => Date.now() + 60_000).find(
      ({ name }) => name === 'clock',
    )!;
    assert.equal((await drifted.run()).verdict, 'failed');
    const { migrations } = database;
    const verdictOf = async (
      change: (known: number[], applied: number[]) => { known: number[]; applied: number[] },
    ) => {
      const changed = {
        ...database,
        migrations: async () => change(...(Object.values(await migrations()) as [number[], number[]])),
      };
      const named = databaseChecks(changed, undefined, Date.now).find(({ name }) => name === 'migrations')!;
      return (await named.run()).verdict;
    };
    assert.equal(await verdictOf((known, applied) => ({ known, applied: applied.slice(0, -1) })), 'warning');
    assert.equal(await verdictOf((known, applied) => ({ known, applied: [...applied, Date.now() * 2] })), 'failed');
    await database.close();
  });

  it('does not condemn a database of an older version, whose tables the next start completes', async () => {
    const data = newFolder();
    const encryptionKey = 'the encryption key of the older version';
    await createOlderDatabase(data, encryptionKey);
    for (const deep of [[], ['--deep']]) {
      const args = ['--data', data, ...deep];
      const { hasPassed, of, text } = await check(args, { WORKSPACE_ENCRYPTION_KEY: encryptionKey });
      assert.ok(hasPassed, text);
      assert.match(text, /^ok +keys .*decrypts the stored secrets \(1\)/m);
      const later = ['migrations', 'egress', ...(deep.length > 0 ? ['tables', 'references', 'indexes'] : [])];
      for (const name of later) assert.equal(of[name], 'warning', text);
      assert.ok(!text.includes('Restore'), text);
      const wrong = await check(args, { WORKSPACE_ENCRYPTION_KEY: 'another key' });
      assert.match(wrong.text, /^failed +keys +1 of 1 secrets/m);
    }
  });
});

describe('the check of an installation with PostgreSQL', () => {
  const skip = server ? (hasPgbouncer ? false : noPgbouncerReason) : noPostgresReason;

  it('finds that a pooler leads to another database than the direct URL', { skip }, async () => {
    const [one, other] = await Promise.all([server!.database(), server!.database()]);
    const pooler = await startPgbouncer(one.url);
    const environment = {
      DATABASE_URL: pooler.urlOf(one.url),
      WORKSPACE_ENCRYPTION_KEY: 'a key that is long enough for this',
    };
    const same = await check([], { ...environment, DATABASE_DIRECT_URL: one.url });
    assert.match(same.text, /^ok +pooler /m);
    const different = await check([], { ...environment, DATABASE_DIRECT_URL: other.url });
    assert.match(different.text, /^failed +pooler .*different databases/m);
    const gone = await check([], {
      ...environment,
      DATABASE_URL: 'postgres://127.0.0.1:1/x',
      DATABASE_DIRECT_URL: one.url,
    });
    assert.match(gone.text, /^failed +pooler .*Cannot connect to PostgreSQL/m);
    await pooler.stop();
  });

  it('changes nothing also when the URL has options of its own', { skip }, async () => {
    const { url } = await server!.database();
    const { db, close } = (await openForReading('', `${url}?options=-c%20application_name%3Dmine`))!;
    const shown = async (name: string) => (await queryRows(db, sql.raw(`show ${name}`)))[0];
    assert.deepEqual(await shown('default_transaction_read_only'), { default_transaction_read_only: 'on' });
    assert.deepEqual(await shown('application_name'), { application_name: 'mine' });
    await close();
  });

  it(
    'fails for a pooler without a direct URL, which the service cannot use, and leaves its connections writable',
    { skip },
    async () => {
      const { url } = await server!.database();
      const pooler = await startPgbouncer(url);
      const { hasPassed, text } = await check([], {
        DATABASE_URL: pooler.urlOf(url),
        WORKSPACE_ENCRYPTION_KEY: 'a key',
      });
      assert.equal(hasPassed, false, text);
      assert.match(text, /^failed +database .*DATABASE_DIRECT_URL/m);
      const client = new Client({ connectionString: pooler.urlOf(url) });
      await client.connect();
      const { rows } = await client.query('show default_transaction_read_only');
      await client.end();
      assert.deepEqual(rows, [{ default_transaction_read_only: 'off' }]);
      await pooler.stop();
    },
  );
});
