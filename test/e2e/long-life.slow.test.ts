/** Nothing grows on a page that stays open for days: see `rounds` for what the page and its visitors do meanwhile. */
import type { CDPSession, Page } from '@playwright/test';
import { eventText, started } from '../support/fakes/fake-service.ts';
import { attributesOf, expect, it as base } from '../support/fixtures.ts';

interface Size {
  nodes: number;
  listeners: number;
  heap: number;
  links: number;
  /** The records and pages of transcripts in the browser's storage. */
  records: number;
}

const countRecords = `new Promise((resolve) => {
  const opening = indexedDB.open('workspace-chat');
  opening.onsuccess = () => {
    const { result } = opening;
    if (!result.objectStoreNames.length) { result.close(); resolve(0); return; }
    const counting = result.transaction('conversations').objectStore('conversations').count();
    counting.onsuccess = () => { result.close(); resolve(counting.result); };
  };
})`;

const measure = async (session: CDPSession, page: Page): Promise<Size> => {
  for (let count = 0; count < 3; count++) await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const value = (name: string) => metrics.find((metric) => metric.name === name)!.value;
  return {
    nodes: value('Nodes'),
    listeners: value('JSEventListeners'),
    heap: value('JSHeapUsedSize'),
    links: await page.locator('link').count(),
    records: await page.evaluate<number>(countRecords),
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
  // Ten turns a round: 600 turns between the measurements.
  'turns, and new conversations': `
    for (let turn = 0; turn < 10; turn++) await ${chat}.send('Hello ' + turn);
    await ${chat}.reset(); ${frame}
  `,
  'routes that the script tag leaves out': `
    for (const path of ['/other-path', '/']) {
      history.pushState(null, '', path);
      while (Boolean(${chat}) !== (path === '/')) { ${frame} }
    }
  `,
  'registrations of tools': `
    const remove = ${chat}.registerTool({ name: 'look_up', run: () => ({}) }); ${frame} remove();
  `,
};

/** Replies to every message at once: the limits of the service would make each turn wait. */
const replyAtOnce = (page: Page): Promise<unknown> =>
  page.route('**/chat', async (route) => {
    const { conversation_id } = route.request().postDataJSON() as { conversation_id?: string };
    const body =
      eventText('delta', { text: 'Hello there' }) +
      eventText('done', started(conversation_id ? { conversation_id } : {}));
    const headers = { 'content-type': 'text/event-stream', 'access-control-allow-origin': '*' };
    await route.fulfill({ body, headers });
  });

const expectNoGrowth = (after: Size, before: Size): void => {
  // Chromium itself keeps some nodes of a page a while longer.
  expect(after.nodes, 'nodes').toBeLessThanOrEqual(before.nodes * 1.1 + 50);
  expect(after.listeners, 'listeners').toBeLessThanOrEqual(before.listeners * 1.1 + 10);
  expect(after.heap, 'heap').toBeLessThanOrEqual(before.heap * 1.1 + 500_000);
  expect(after.links, 'link elements').toBeLessThanOrEqual(before.links);
  expect(after.records, 'records').toBeLessThanOrEqual(before.records);
};

const it = base.extend<{ openChat(): Promise<CDPSession> }>({
  openChat: async ({ page, serve, service, cdnBuild }, use) => {
    await use(async () => {
      const data = attributesOf(service.settings, 'data-');
      const html = `<!doctype html><title>Page</title><body><script async src="/cdn/embed.js" ${data} data-not-on="/other-path"></script>`;
      const site = await serve({ '/': html }, { '/cdn/': cdnBuild.folder });
      await replyAtOnce(page);
      await page.goto(site.url);
      await page.locator('workspace-chat .launcher').click();
      await expect(page.locator('workspace-chat textarea')).toBeVisible();
      const session = await page.context().newCDPSession(page);
      await session.send('Performance.enable');
      return session;
    });
  },
});

it.describe('a page that stays open', () => {
  for (const [name, round] of Object.entries(rounds))
    it(`does not grow with ${name}`, async ({ openChat, page, service }) => {
      const session = await openChat();
      await page.evaluate(`${chat}.hide()`);
      const repeat = (count: number) =>
        page.evaluate(`(async () => {
          const first = ${JSON.stringify(service.settings.agentId)};
          for (let round = 0; round < ${count}; round++) { ${round} }
          ${chat}.agentId = first;
          // What waits for an idle browser keeps its element until then.
          await new Promise((resolve) => setTimeout(() => requestIdleCallback(resolve), 500));
        })()`);
      // The first rounds create what is created once.
      await repeat(10);
      const before = await measure(session, page);
      await repeat(60);
      const after = await measure(session, page);
      expectNoGrowth(after, before);
    });

  it('does not grow in three days with a message every six hours', async ({ openChat, page }) => {
    await page.clock.install();
    const session = await openChat();
    /** The transcript begins anew after 24 hours: each day ends with as many messages as the one before. */
    const liveADay = async () => {
      for (let count = 0; count < 4; count++) {
        await page.evaluate(`${chat}.send('Hello')`);
        await page.clock.fastForward('06:00:00');
      }
      await page.clock.runFor(2_000);
    };
    await liveADay();
    await liveADay();
    const before = await measure(session, page);
    for (let day = 0; day < 3; day++) await liveADay();
    expectNoGrowth(await measure(session, page), before);
  });
});
