/** Faults of the consent to a client tool, and of calls that are repeated. */
import { response, started } from '../../support/fakes/fake-service.ts';
import type { FaultPage } from '../../support/pages/fault-page.ts';
import type { Fault } from '../../support/pages/fault.ts';
import { poll } from '../../support/poll.ts';
import type { ServerCall } from '../../support/servers/server-call.ts';
import { whole, good, toolCall, offering, working, results, toolFault } from './tool-fault.ts';

const prompt = 'confirm: ({ order }) => `Look up order ${order}?`,';

/** Clicks when the visitor has had time to read the prompt, which may appear only after the clock was moved. */
const decide = (page: FaultPage, name: string) =>
  poll(async () => {
    await page.fastForward(450);
    await page
      .button(name)
      .click({ timeout: 1_000 })
      .catch(() => {});
    return page.element.locator('.tool-prompt').count();
  }).toBe(0);

export const consentFaults: Fault[] = [
  toolFault({
    name: 'the visitor allows',
    cause: 'The tool asks for the visitor’s consent, and the visitor allows it.',
    outcome: 'The prompt shows the values, and the tool runs after the click.',
    page: { hasFakeClock: true },
    members: prompt + working,
    meanwhile: async (page) => {
      await page.button('Allow').waitFor();
      await poll(async () => (await page.element.locator('.tool-prompt').innerText()).split(/\s*\n+\s*/)).toEqual([
        'Look up order 7?',
        'order',
        '7',
        'Allow',
        'Don’t allow',
      ]);
      await decide(page, 'Allow');
    },
    shows: 'Used: Order status',
    sentResult: { order: '7', status: 'shipped' },
  }),
  toolFault({
    name: 'the visitor refuses',
    cause: 'The visitor does not allow the tool.',
    outcome: '“Not allowed”, and the reply. The tool never runs.',
    page: { hasFakeClock: true },
    members: prompt + working,
    meanwhile: async (page) => {
      await page.button('Don’t allow').waitFor();
      await decide(page, 'Don’t allow');
    },
    shows: 'Not allowed: Order status',
    sentResult: 'refused_by_visitor',
    runs: 0,
  }),
  toolFault({
    name: 'a click under the prompt',
    cause: 'The visitor clicks within 400 milliseconds after the prompt has appeared.',
    outcome: 'The click is ignored, and the prompt stays.',
    members: prompt + working,
    page: {
      hasFakeClock: true,
      initScript: `${offering(prompt + working)}
          window.early = 0;
          requestAnimationFrame(function look() {
            const button = document.querySelector('workspace-chat')?.shadowRoot?.querySelector('.tool-prompt button');
            if (button && !window.early) { window.early = 1; button.click(); requestAnimationFrame(() => button.click()); }
            if (!window.early) requestAnimationFrame(look);
          });`,
    },
    meanwhile: async (page) => {
      await page.page.waitForFunction('window.early');
      await poll(() => page.page.evaluate('window.runs')).toBe(0);
      await page.button('Don’t allow').waitFor();
      await decide(page, 'Don’t allow');
    },
    shows: 'Not allowed: Order status',
    sentResult: 'refused_by_visitor',
    runs: 0,
  }),
  {
    name: 'the same call in another tab',
    cause: 'The service requests the same call again in the turn of another tab.',
    outcome: 'The tool runs once, and the other tab shows only the reply.',
    page: { initScript: offering(working) },
    async run(page, server) {
      let stream: ServerCall | undefined;
      const ask = (call: ServerCall) => (stream = call.startStream().event('client_tool', toolCall()));
      server.onChat(ask, ask);
      server.onToolResult(good);
      await page.send('Hi');
      await server.waitForCalls(2);
      stream!.event('done', started()).end();
      await page.expectTranscript(...whole('Used: Order status'));
      const tab = await page.openTab();
      await tab.expectTranscript(...whole('Used: Order status'));
      await tab.send('More');
      await server.waitForCalls(3);
      stream!.event('done', response({ message: { id: 'msg_2', role: 'assistant', content: 'Again' } })).end();
      await tab.expectTranscript(...whole('Used: Order status'), 'visitor: More', 'assistant: Again');
      await poll(() => results(server)).toEqual([{ order: '7', status: 'shipped' }]);
      await poll(() => page.page.evaluate('window.runs')).toBe(1);
      await poll(() => tab.page.evaluate('window.runs')).toBe(0);
      await poll(async () => (await page.stored())?.at(-1)).toBe('credentials cnv_1');
    },
  },
];
