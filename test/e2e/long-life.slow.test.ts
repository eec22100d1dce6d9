/** Nothing grows on a page that stays open for days: see `rounds` for what the page and its visitors do meanwhile. */
import type { CDPSession, Page } from '@playwright/test';
import { expect, it } from '../support/fixtures.ts';

interface Size {
  nodes: number;
  listeners: number;
  heap: number;
  links: number;
}

const measure = async (session: CDPSession, page: Page): Promise<Size> => {
  for (let count = 0; count < 3; count++) await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const value = (name: string) => metrics.find((metric) => metric.name === name)!.value;
  return {
    nodes: value('Nodes'),
    listeners: value('JSEventListeners'),
    heap: value('JSHeapUsedSize'),
    links: await page.locator('link').count(),
  };
};

const chat = 'document.querySelector("workspace-chat")';
const frame = 'await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));';

/** What is done again and again. Each one leaves the element as it found it. */
const rounds: Record<string, string> = {
  'openings and closings': `${chat}.show(); ${frame} ${chat}.hide(); ${frame}`,
  'changes between two agents': `${chat}.agentId = round % 2 ? first : 'agt_other'; ${frame}`,
  'changes of attributes': `
    const element = ${chat};
    for (const [name, values] of Object.entries({
      locale: ['ar', null], mode: ['inline', 'floating'], placement: ['start', 'end'], colorScheme: ['dark', 'auto'],
      avatar: ['/', null], heading: ['Ask', null], greeting: ['Hi', null], starters: [['One'], null],
      launcherSelector: ['.help', null], launcherLabel: ['Help', null], feedback: [true, false], open: [true, false],
    })) for (const value of values) { element[name] = value; ${frame} }
  `,
  'routes that remove and add the element': `
    const element = ${chat}; element.remove(); ${frame} ${frame} document.body.append(element); ${frame}
  `,
  'registrations of tools': `
    const remove = ${chat}.registerTool({ name: 'look_up', run: () => ({}) }); ${frame} remove();
  `,
};

it.describe('a page that stays open', () => {
  for (const [name, round] of Object.entries(rounds))
    it(`does not grow with ${name}`, async ({ page, serve, service, cdnBuild }) => {
      const { baseUrl, publishableKey, agentId } = service.settings;
      const site = await serve(
        {
          '/': `<!doctype html><title>Page</title><script type="module" src="/cdn/workspace-chat.js"></script>
            <workspace-chat base-url="${baseUrl}" publishable-key="${publishableKey}" agent-id="${agentId}"></workspace-chat>`,
        },
        { '/cdn/': cdnBuild.folder },
      );
      await page.goto(site.url);
      await page.locator('workspace-chat .launcher').click();
      await expect(page.locator('workspace-chat textarea')).toBeVisible();
      await page.evaluate(`${chat}.hide()`);
      const session = await page.context().newCDPSession(page);
      await session.send('Performance.enable');
      const repeat = (count: number) =>
        page.evaluate(`(async () => {
          const first = ${JSON.stringify(agentId)};
          for (let round = 0; round < ${count}; round++) { ${round} }
          ${chat}.agentId = first;
          await new Promise((resolve) => setTimeout(resolve, 500));
        })()`);
      // The first rounds create what is created once.
      await repeat(10);
      const before = await measure(session, page);
      await repeat(60);
      const after = await measure(session, page);
      // Chromium itself keeps some nodes of a page a while longer.
      expect(after.nodes, 'nodes').toBeLessThanOrEqual(before.nodes * 1.1 + 50);
      expect(after.listeners, 'listeners').toBeLessThanOrEqual(before.listeners * 1.1 + 10);
      expect(after.heap, 'heap').toBeLessThanOrEqual(before.heap * 1.1 + 500_000);
      expect(after.links, 'link elements').toBeLessThanOrEqual(before.links);
    });
});
