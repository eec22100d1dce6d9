/**
 * Starts the service on the embedded database in a process of its own, and prints where it is. The runner of the tests
 * follows every promise of its process, which would make the database slow.
 */
import { createTestService } from '../support.ts';
import { startOfChecks } from './start-of-checks.ts';
import { createWorld } from './world.ts';

const options = { now: Date.now, development: true, allowLoopback: true, background: true };
const { service, secretKey: ownerKey } = await createTestService({ ...options, trustProxy: ['127.0.0.1'] });
const { url: origin, close } = await service.listen();
const at = startOfChecks();
const world = await createWorld(service.db, at);

process.once('SIGTERM', () => {
  void close()
    .then(() => service.close())
    .finally(() => process.exit());
});
console.log(JSON.stringify({ origin, ownerKey, world, at, processes: 1 }));
