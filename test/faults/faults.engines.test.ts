/** The faults of storage, tabs and identity in every browser engine. */
import { expect, test as base } from '@playwright/test';
import { engines, type Engine } from '../support/browsers/engines.ts';
import type { Driver, Tab } from '../support/browsers/driver.ts';
import { EnginePage } from '../support/pages/engine-page.ts';
import type { EngineFault } from '../support/pages/fault.ts';
import { HostileServer } from '../support/servers/hostile-server.ts';
import { identityFaults } from './identity.ts';
import { storageFaults } from './storage.ts';
import { tabFaults } from './tabs.ts';

/** One browser of each engine, in which a first tab stays open. */
const opened = new Map<Engine, { driver: Driver; firstTab: Tab } | null>();

const openOnce = async (engine: Engine): Promise<Driver | null> => {
  if (!opened.has(engine)) {
    const driver = await engines[engine]();
    opened.set(engine, driver && { driver, firstTab: await driver.openTab() });
  }
  return opened.get(engine)?.driver ?? null;
};

const it = base.extend<object, { server: HostileServer }>({
  server: [
    async ({}, use) => {
      const server = new HostileServer();
      await server.listen();
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],
});

it.afterAll(async () => {
  for (const browser of opened.values()) await browser?.driver.close();
});

const testIn = (engine: Engine, fault: EngineFault): void => {
  const { name, cause, outcome, page: options = {}, allowedErrors } = fault;
  const title = `${engine}: ${name}: ${cause} → ${outcome}`;
  if (fault.needs !== undefined) {
    it.skip(`${title} (needs ${fault.needs})`, () => {});
    return;
  }
  it(title, async ({ server }) => {
    const driver = await openOnce(engine);
    it.skip(driver === null, `${engine} is not installed, and installing it needs root and apt.`);
    server.reset();
    const page = await EnginePage.open(driver!, options, server);
    try {
      await fault.run(page, server);
      expect(await page.consoleErrors(allowedErrors), 'console errors').toEqual([]);
    } finally {
      await page.close();
    }
  });
};

for (const engine of ['Firefox', 'WebKitGTK'] as const) {
  for (const { title, faults } of [storageFaults, tabFaults, identityFaults]) {
    it.describe(title, () => {
      for (const fault of faults) testIn(engine, fault);
    });
  }
}
