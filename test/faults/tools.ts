/** Faults of client tools: calls, arguments, results and consent that go wrong. */
import { poll } from '../support/poll.ts';
import type { ServerCall } from '../support/servers/server-call.ts';
import type { Fault, FaultGroup } from '../support/pages/fault.ts';
import type { FaultPage, PageOptions } from '../support/pages/fault-page.ts';
import { response, started } from '../support/fakes/fake-service.ts';
import type { HostileServer } from '../support/servers/hostile-server.ts';
import { resetConnection, holdCall, errorResponse } from '../support/servers/server-faults.ts';

const whole = (run: string) => ['visitor: Hi', `assistant: {${run}} Hello there`];
const storedWhole = ['visitor confirmed: Hi', 'ai whole: Hello there', 'credentials cnv_1'];
const good = (call: ServerCall) => call.respond(200, 'application/json', '{"ok":true}');

const toolCall = (fields: object = {}) => ({
  conversation_id: 'cnv_1',
  conversation_token: 'tok_1',
  call_id: 'call_1',
  name: 'look_up',
  arguments: { order: '7' },
  timeout_ms: 15_000,
  ...fields,
});

/** Registers the tool `look_up` with these members. */
const offering = (members: string): string => `
  window.prepare = () => {
    const { create } = window;
    window.runs = 0;
    window.create = (...args) => {
      const element = create(...args);
      customElements.whenDefined('workspace-chat').then(() => element.registerTool({ name: 'look_up', ${members} }));
      return element;
    };
  };
`;
const working = 'run: ({ order }) => { window.runs++; return { order, status: "shipped" }; }';

const results = (server: HostileServer) =>
  server.toolResults.map(({ body }) => {
    const { ok, result, error } = JSON.parse(body) as { ok: boolean; result?: unknown; error?: string };
    return ok ? result : error;
  });

interface ToolFault extends Pick<Fault, 'name' | 'cause' | 'outcome'> {
  members: string;
  /** How the transcript shows the run. */
  shows: string;
  /** The result or the error that is sent to the agent. */
  sentResult: unknown;
  runs?: number;
  fields?: object;
  /** How often the service requests the call; once by default. */
  times?: number;
  page?: PageOptions;
  allowedErrors?: RegExp;
  meanwhile?: (page: FaultPage) => Promise<void>;
}

/** One tool call. The reply ends once the result has been sent. */
const toolFault = ({
  name,
  cause,
  outcome,
  members,
  shows,
  sentResult,
  runs = 1,
  fields,
  times = 1,
  page,
  allowedErrors,
  meanwhile,
}: ToolFault): Fault => ({
  name,
  cause,
  outcome,
  allowedErrors,
  page: { initScript: offering(members), ...page },
  async run(visitor, server) {
    let stream: ServerCall | undefined;
    server.onChat((call) => {
      stream = call.startStream();
      for (let count = 0; count < times; count++) stream.event('client_tool', toolCall(fields));
    });
    server.onToolResult(good);
    await visitor.send('Hi');
    await meanwhile?.(visitor);
    await server.waitForCalls(2);
    await visitor.expectStored('visitor confirmed: Hi', 'ai interrupted: ', 'credentials cnv_1');
    stream!.event('done', started()).end();
    await visitor.expectTranscript(...whole(shows));
    await visitor.expectStored(...storedWhole);
    await poll(() => results(server)).toEqual([sentResult]);
    await poll(() => visitor.page.evaluate('window.runs')).toEqual(runs);
    await poll(() => JSON.parse(server.chatCalls[0]!.body).client_tools).toEqual(['look_up']);
  },
});

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
    await page.expectTranscript(...whole('Used: look up'));
    await page.expectStored(...storedWhole);
    await poll(() => server.toolResults.length).toEqual(sent);
    await poll(() => page.page.evaluate('window.runs')).toBe(1);
  },
});

const prompt = 'confirm: ({ order }) => `Look up order ${order}?`,';
const schema = (body: string) => `parameters: { '~standard': { validate: (value) => { ${body} } } },`;

export const toolFaults: FaultGroup = {
  title: 'client tools',
  faults: [
    toolFault({
      name: 'a tool that works',
      cause: 'No fault, for comparison with the others.',
      outcome: '“Used: look up”, and the reply.',
      members: working,
      shows: 'Used: look up',
      sentResult: { order: '7', status: 'shipped' },
    }),
    toolFault({
      name: 'an unknown tool',
      cause: 'The agent calls a tool that the page has not registered.',
      outcome: '“Failed”, and the reply.',
      members: working,
      fields: { name: 'empty_account' },
      shows: 'Failed: empty account',
      sentResult: 'unknown_tool',
      runs: 0,
    }),
    toolFault({
      name: 'a tool that throws',
      cause: 'The tool throws an error with a message.',
      outcome: '“Failed”. The message of the error is not sent to the agent.',
      members: 'run: () => { window.runs++; throw new Error("password=hunter2"); }',
      shows: 'Failed: look up',
      sentResult: 'tool_error',
      allowedErrors: /a client tool failed/,
    }),
    toolFault({
      name: 'arguments that do not fit',
      cause: 'The tool’s schema rejects the arguments.',
      outcome: '“Failed”; the tool never runs.',
      members: `${schema('return { issues: [{ message: "no" }] };')} ${working}`,
      shows: 'Failed: look up',
      sentResult: 'invalid_arguments',
      runs: 0,
    }),
    toolFault({
      name: 'arguments that the schema changes',
      cause: 'The tool’s schema resolves to another value.',
      outcome: '“Used: look up”, and the reply.',
      members: `${schema('return Promise.resolve({ value: { order: Number(value.order) } });')} ${working}`,
      shows: 'Used: look up',
      sentResult: { order: 7, status: 'shipped' },
    }),
    toolFault({
      name: 'a result that is too large',
      cause: 'The tool returns more than 8,000 characters.',
      outcome: '“Failed”, and the reply.',
      members: 'run: () => { window.runs++; return { text: "x".repeat(8_000) }; }',
      shows: 'Failed: look up',
      sentResult: 'result_too_large',
    }),
    toolFault({
      name: 'a result that cannot be serialised',
      cause: 'The tool returns an object that contains itself.',
      outcome: '“Failed”, and the reply.',
      members: 'run: () => { window.runs++; const loop = {}; loop.loop = loop; return loop; }',
      shows: 'Failed: look up',
      sentResult: 'invalid_result',
    }),
    toolFault({
      name: 'a tool that hangs',
      cause: 'The tool never settles and ignores its signal.',
      outcome: 'After the timeout of the call “Failed”, and the reply.',
      members: 'run: () => { window.runs++; return new Promise(() => {}); }',
      page: { hasFakeClock: true },
      meanwhile: async (page) => {
        await page.element.locator('.tool-running').waitFor();
        await page.fastForward(15_500);
      },
      shows: 'Failed: look up',
      sentResult: 'timeout',
    }),
    toolFault({
      name: 'a tool with its own timeout',
      cause: 'The tool has a timeout of two seconds and never settles.',
      outcome: 'After two seconds “Failed”, and the reply.',
      members: 'timeoutMs: 2_000, run: () => { window.runs++; return new Promise(() => {}); }',
      page: { hasFakeClock: true },
      meanwhile: async (page) => {
        await page.element.locator('.tool-running').waitFor();
        await page.fastForward(2_500);
      },
      shows: 'Failed: look up',
      sentResult: 'timeout',
    }),
    toolFault({
      name: 'a schema that hangs',
      cause: 'The tool’s schema never settles.',
      outcome: 'After the timeout of the call “Failed”, and the reply.',
      members: `${schema('window.isValidating = true; return new Promise(() => {});')} ${working}`,
      page: { hasFakeClock: true },
      meanwhile: async (page) => {
        await page.expectStored('visitor confirmed: Hi', 'ai interrupted: ', 'credentials cnv_1');
        await page.page.waitForFunction('window.isValidating');
        await page.fastForward(15_500);
      },
      shows: 'Failed: look up',
      sentResult: 'timeout',
      runs: 0,
    }),
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
        await page.fastForward(450);
        await page.button('Allow').click();
      },
      shows: 'Used: look up',
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
        await page.fastForward(450);
        await page.button('Don’t allow').click();
      },
      shows: 'Not allowed: look up',
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
        await page.fastForward(450);
        await page.button('Don’t allow').click();
      },
      shows: 'Not allowed: look up',
      sentResult: 'refused_by_visitor',
      runs: 0,
    }),
    toolFault({
      name: 'the same call twice',
      cause: 'The service requests the same call twice.',
      outcome: 'The tool runs once, and its result is sent once.',
      members: working,
      times: 2,
      shows: 'Used: look up',
      sentResult: { order: '7', status: 'shipped' },
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
        await page.expectTranscript(...whole('Used: look up'));
        const tab = await page.openTab();
        await tab.expectTranscript(...whole('Used: look up'));
        await tab.send('More');
        await server.waitForCalls(3);
        stream!.event('done', response({ message: { id: 'msg_2', role: 'assistant', content: 'Again' } })).end();
        await tab.expectTranscript(...whole('Used: look up'), 'visitor: More', 'assistant: Again');
        await poll(() => results(server)).toEqual([{ order: '7', status: 'shipped' }]);
        await poll(() => page.page.evaluate('window.runs')).toBe(1);
        await poll(() => tab.page.evaluate('window.runs')).toBe(0);
        await poll(async () => (await page.stored())?.at(-1)).toBe('credentials cnv_1');
      },
    },
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
    responseFault('call_closed', 'The service has already closed the call.', 1, errorResponse(409, 'call_closed')),
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
        await page.expectTranscript(...whole('Failed: look up'));
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
        await page.expectTranscript(...whole('Used: look up'));
        await page.expectStored(...storedWhole);
        await page.expectChatCalls(1);
      },
    },
  ],
};
