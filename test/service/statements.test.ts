/** Checks every statement of the API contract on the embedded database. */
import { createTestService } from './support.ts';
import { describeStatements, startOfChecks } from './statements/describe.ts';
import { createWorld } from './statements/world.ts';

describeStatements('on the embedded database', async () => {
  const options = { now: Date.now, development: true, allowLoopback: true, background: true };
  const { service, secretKey: ownerKey } = await createTestService({ ...options, trustProxy: ['127.0.0.1'] });
  const { baseUrl, close } = await service.listen();
  const origin = new URL(baseUrl).origin;
  const at = startOfChecks();
  const moved = await fetch(`${origin}/team/clock`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ownerKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ now: at.toISOString() }),
  });
  if (!moved.ok) throw new Error('The time could not be moved.');
  const world = await createWorld(service.db, at, at.toISOString().slice(0, 8) + '01');
  const stop = async () => {
    await close();
    await service.close();
  };
  return { origin, ownerKey, world, processes: 1, stop };
});
