/** Checks every statement of the API contract on the embedded database. */
import { describeStatements, startOfChecks, type StartedService } from './statements/describe.ts';
import { createWorld } from './statements/world.ts';
import { createTestService } from './support.ts';

const start = async (): Promise<StartedService> => {
  const options = { now: Date.now, development: true, allowLoopback: true, background: true };
  const { service, secretKey: ownerKey } = await createTestService({ ...options, trustProxy: ['127.0.0.1'] });
  const { url: origin, close } = await service.listen();
  const at = startOfChecks();
  const world = await createWorld(service.db, at);
  const stop = async () => {
    await close();
    await service.close();
  };
  return { origin, ownerKey, world, at, processes: 1, stop };
};

describeStatements('on the embedded database', start);
