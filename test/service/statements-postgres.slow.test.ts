/** Checks every statement of the API contract on two processes that share a PostgreSQL database, behind a load balancer. */
import { request as forward } from 'node:http';
import { join } from 'node:path';
import { it } from 'node:test';
import { findPostgres, noPostgresReason, type PostgresServer } from '../support/servers/postgres.ts';
import { listen, type Listening } from '../support/servers/listen.ts';
import { startService } from '../support/servers/service-process.ts';
import { describeStatements, type StartedService } from './statements/describe.ts';
import { startOfChecks } from './statements/start-of-checks.ts';
import { createWorld } from './statements/world.ts';
import { createTestService, useFolders } from './support.ts';

/** A load balancer without sticky sessions: each request goes to the next process. */
const startRoundRobin = (origins: string[]): Promise<Listening> => {
  let turn = 0;
  return listen((request, response) => {
    const target = new URL(origins[turn++ % origins.length]!);
    const { method, url, headers } = request;
    const options = { host: target.hostname, port: target.port, method, path: url, headers: { ...headers } };
    const forwarded = forward(options, (received) => {
      response.writeHead(received.statusCode!, received.headers);
      response.flushHeaders();
      received.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  });
};

const dataDir = useFolders()();

const start = async (server: PostgresServer): Promise<StartedService> => {
  const { url } = await server.database();
  const environment = {
    DATABASE_URL: url,
    WORKSPACE_ENCRYPTION_KEY: 'the same for both',
    TRUST_PROXY: '127.0.0.1',
  };
  const options = ['--development', '--allow-loopback'];
  const processes = await Promise.all(
    ['one', 'other'].map((name) => startService(['--data', join(dataDir, name), ...options], environment)),
  );
  const balancer = await startRoundRobin(processes.map(({ baseUrl }) => new URL(baseUrl).origin));
  const at = startOfChecks();
  /** Inserts the rows that no operation can create. It receives no requests. */
  const tested = await createTestService({
    databaseUrl: url,
    encryptionKey: environment.WORKSPACE_ENCRYPTION_KEY,
    now: Date.now,
  });
  const world = await createWorld(tested.service.db, at);
  await tested.service.close();
  const stop = async () => {
    await balancer.close();
    await Promise.all(processes.map((each) => each.end('SIGTERM')));
    await server.stop();
  };
  return { origin: balancer.url, ownerKey: processes[0]!.secretKey, world, at, processes: processes.length, stop };
};

const server = await findPostgres();
if (server) describeStatements('on two processes with PostgreSQL', () => start(server));
else it('fulfills the statements of the contract on PostgreSQL', { skip: noPostgresReason }, () => {});
