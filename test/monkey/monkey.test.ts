/** Runs random steps against the built widget in Chromium, and checks that no invariant is violated. */
import { test as base } from '@playwright/test';
import { HostileServer } from '../support/servers/hostile-server.ts';
import { serveSite } from '../support/servers/site.ts';
import { execute } from './execute.ts';
import type { PageSettings } from './page/settings.ts';
import { describeFailure } from './report.ts';
import { minimize } from './minimize.ts';
import { bundlePageScript, pageHtml } from './site.ts';
import { generateRun } from './steps.ts';
import type { Stage } from './world.ts';

const it = base.extend<object, { stage: Stage }>({
  stage: [
    async ({ browser }, use) => {
      const hostileServer = new HostileServer();
      await hostileServer.listen();
      const pageScript = await bundlePageScript();
      let settings = (): PageSettings => {
        throw new Error('No run is in progress.');
      };
      const site = await serveSite(() => pageHtml(pageScript, settings()));
      await use({
        browser,
        hostileServer,
        siteUrl: site.url,
        serve: (given) => {
          settings = given;
        },
      });
      await site.close();
      await hostileServer.close();
    },
    { scope: 'worker' },
  ],
});

const { MONKEY_SEED = '1-12', MONKEY_STEPS, MONKEY_SHRINK = '1' } = process.env;
/** A list of seeds and ranges of seeds, such as `7,20-29`. */
const seeds = MONKEY_SEED.split(',').flatMap((range) => {
  const [first = 1, last = first] = range.split('-').map(Number);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
});
const selected = MONKEY_STEPS?.split(',').map(Number);

for (const seed of seeds) {
  it(`keeps the promises of the chat in the random run of seed ${seed}`, async ({ stage }) => {
    const run = generateRun(seed);
    const chosen = selected ? { ...run, steps: run.steps.filter(({ id }) => selected.includes(id)) } : run;
    const outcome = await execute(stage, chosen);
    if (!outcome.violation) return;
    const shrunk = selected || MONKEY_SHRINK === '0' ? null : await minimize(stage, chosen, outcome);
    throw new Error(describeFailure(chosen, outcome, shrunk));
  });
}
