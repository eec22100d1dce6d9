/** Faults of the responses to the result of a client tool. */
import { started } from '../../support/fakes/fake-service.ts';
import type { Fault } from '../../support/pages/fault.ts';
import { poll } from '../../support/poll.ts';
import type { HostileServer } from '../../support/servers/hostile-server.ts';
import type { ServerCall } from '../../support/servers/server-call.ts';
import { resetConnection, holdCall, errorResponse } from '../../support/servers/server-faults.ts';
import { storedWhole } from '../expected.ts';
import { whole, good, toolCall, offering, working } from './tool-fault.ts';

/** Responses to a tool's result that must not disturb the turn. */
const responseFault = (
  name: string,
  cause: string,
  sent: number,
  ...handlers: Parameters<HostileServer['onToolResult']>
): Fault => ({
  name,
  cause,
  outcome: 'The run of the tool, and the reply.',
  page: { initScript: offering(working), hasFakeClock: true },
  async run(page, server) {
    let stream: ServerCall | undefined;
    server.onChat((call) => (stream = call.startStream().event('client_tool', toolCall())));
    server.onToolResult(...handlers);
    await page.send('Hi');
    for (let count = 1; count <= sent; count++) {
      await server.waitForCalls(1 + count);
      await page.element.locator('.tool').waitFor();
      if (count < sent)
        await poll(async () => {
          await page.fastForward(2_500);
          return server.toolResults.length > count;
        }).toBe(true);
    }
    stream!.event('done', started()).end();
    await page.expectTranscript(...whole('Used: Order status'));
    await page.expectStored(...storedWhole);
    await poll(() => server.toolResults.length).toEqual(sent);
    await poll(() => page.page.evaluate('window.runs')).toBe(1);
  },
});

export const responseFaults: Fault[] = [
  responseFault(
    'the result is lost twice',
    'The connection is reset twice while the result is sent.',
    3,
    resetConnection,
    resetConnection,
    good,
  ),
  responseFault(
    'too many results',
    'The service refuses the result with 429.',
    2,
    errorResponse(429, 'rate_limited', { 'retry-after': '2' }),
    good,
  ),
  responseFault('unknown_call', 'The service does not know the call.', 1, errorResponse(404, 'unknown_call')),
  {
    name: 'a result that comes too late',
    cause: 'The reply ends before the tool returns.',
    outcome: 'The reply is rendered, the run counts as failed, and its result is not sent.',
    page: {
      initScript: offering(
        'run: () => new Promise((resolve) => { window.runs++; window.finish = () => resolve({}); })',
      ),
    },
    async run(page, server) {
      const turn = holdCall();
      server.onChat(turn.handler);
      await page.send('Hi');
      const call = (await turn.call).startStream().event('client_tool', toolCall());
      await page.page.waitForFunction('window.finish');
      call.event('done', started()).end();
      await page.expectTranscript(...whole('Failed: Order status'));
      await page.page.evaluate('window.finish()');
      await page.waitUntilIdle();
      await page.expectStored(...storedWhole);
      await poll(() => [server.chatCalls.length, server.toolResults.length]).toEqual([1, 0]);
    },
  },
  {
    name: 'a long run without stream data',
    cause: 'A tool runs for two minutes, during which the stream sends nothing.',
    outcome: 'The run, then the reply. The turn does not time out.',
    page: {
      hasFakeClock: true,
      initScript: offering(
        'run: () => new Promise((resolve) => { window.runs++; window.finish = () => resolve({}); })',
      ),
    },
    async run(page, server) {
      let stream: ServerCall | undefined;
      server.onChat((call) => (stream = call.startStream().event('client_tool', toolCall({ timeout_ms: 300_000 }))));
      server.onToolResult(good);
      await page.send('Hi');
      await page.page.waitForFunction('window.finish');
      await page.fastForward(120_000);
      await page.page.evaluate('window.finish()');
      await server.waitForCalls(2);
      stream!.event('done', started()).end();
      await page.expectTranscript(...whole('Used: Order status'));
      await page.expectStored(...storedWhole);
      await page.expectChatCalls(1);
    },
  },
];
