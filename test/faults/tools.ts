/** Client tools: what the agent asks of the page, and how that goes wrong. */
import type { Exchange } from '../support/servers/exchange.ts';
import type { Fault, FaultGroup } from '../support/pages/fault.ts';
import type { FaultPage, PageOptions } from '../support/pages/fault-page.ts';
import { response, started } from '../support/fakes/fake-service.ts';
import type { HostileServer } from '../support/servers/hostile-server.ts';
import { cut, held, refused } from '../support/servers/server-faults.ts';

const whole = (run: string) => ['visitor: Hi', `agent: {${run}} Hello there`];
const keptWhole = ['visitor confirmed: Hi', 'ai whole: Hello there', 'pair cnv_1'];
const good = (exchange: Exchange) => exchange.reply(200, 'application/json', '{"ok":true}');

const call = (fields: object = {}) => ({
  conversation_id: 'cnv_1',
  conversation_token: 'tok_1',
  call_id: 'call_1',
  name: 'look_up',
  arguments: { order: '7' },
  timeout_ms: 15_000,
  ...fields,
});

/** The page offers `look_up`, with this for its members. */
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
  server.results.map(({ body }) => {
    const { ok, result, error } = JSON.parse(body) as { ok: boolean; result?: unknown; error?: string };
    return ok ? result : error;
  });

interface ToolFault extends Pick<Fault, 'name' | 'about' | 'sees'> {
  members: string;
  /** How the transcript tells of the run. */
  shows: string;
  /** What the agent is told. */
  told: unknown;
  runs?: number;
  fields?: object;
  /** How often the service asks; once unless told. */
  times?: number;
  page?: PageOptions;
  complaints?: RegExp;
  meanwhile?: (page: FaultPage) => Promise<void>;
}

/** One call, answered once; the answer ends when it is told. */
const toolFault = ({
  name,
  about,
  sees,
  members,
  shows,
  told,
  runs = 1,
  fields,
  times = 1,
  page,
  complaints,
  meanwhile,
}: ToolFault): Fault => ({
  name,
  about,
  sees,
  complaints,
  page: { init: offering(members), ...page },
  async prove(visitor, server) {
    let stream: Exchange | undefined;
    server.answer((exchange) => {
      stream = exchange.stream();
      for (let count = 0; count < times; count++) stream.event('client_tool', call(fields));
    });
    server.answerTools(good);
    await visitor.send('Hi');
    await meanwhile?.(visitor);
    await server.received(2);
    await visitor.keeps('visitor confirmed: Hi', 'ai interrupted: ', 'pair cnv_1');
    stream!.event('done', started()).end();
    await visitor.shows(...whole(shows));
    await visitor.keeps(...keptWhole);
    await visitor.until(async () => results(server), [told]);
    await visitor.until(() => visitor.page.evaluate('window.runs'), runs);
    await visitor.until(async () => JSON.parse(server.posts[0]!.body).client_tools, ['look_up']);
  },
});

/** Answers to the result that must not disturb the turn. */
const answerFault = (
  name: string,
  about: string,
  sent: number,
  ...misdeeds: Parameters<HostileServer['answerTools']>
): Fault => ({
  name,
  about,
  sees: 'The run, and the answer.',
  page: { init: offering(working), clock: true },
  async prove(page, server) {
    let stream: Exchange | undefined;
    server.answer((exchange) => (stream = exchange.stream().event('client_tool', call())));
    server.answerTools(...misdeeds);
    await page.send('Hi');
    for (let count = 1; count <= sent; count++) {
      await server.received(1 + count);
      await page.element.locator('.tool').waitFor();
      if (count < sent)
        await page.until(async () => {
          await page.pass(2_500);
          return server.results.length > count;
        }, true);
    }
    stream!.event('done', started()).end();
    await page.shows(...whole('Used: look up'));
    await page.keeps(...keptWhole);
    await page.until(async () => server.results.length, sent);
    await page.until(() => page.page.evaluate('window.runs'), 1);
  },
});

const prompt = 'confirm: ({ order }) => `Look up order ${order}?`,';
const schema = (body: string) => `parameters: { '~standard': { validate: (value) => { ${body} } } },`;

export const toolFaults: FaultGroup = {
  title: 'client tools',
  faults: [
    toolFault({
      name: 'a tool that works',
      about: 'Nothing: the measure of the others.',
      sees: '“Used: look up”, and the answer.',
      members: working,
      shows: 'Used: look up',
      told: { order: '7', status: 'shipped' },
    }),
    toolFault({
      name: 'a tool that nobody offered',
      about: 'The agent asks for a tool that the page has not.',
      sees: '“Did not work”, and the answer.',
      members: working,
      fields: { name: 'empty_account' },
      shows: 'Failed: empty account',
      told: 'unknown_tool',
      runs: 0,
    }),
    toolFault({
      name: 'a tool that throws',
      about: 'The page’s function throws, with a message of its own.',
      sees: '“Did not work”; the page’s own message goes to nobody.',
      members: 'run: () => { window.runs++; throw new Error("password=hunter2"); }',
      shows: 'Failed: look up',
      told: 'tool_error',
      complaints: /a client tool failed/,
    }),
    toolFault({
      name: 'arguments that do not fit',
      about: 'The tool’s schema refuses the agent’s arguments.',
      sees: '“Did not work”; the tool never runs.',
      members: `${schema('return { issues: [{ message: "no" }] };')} ${working}`,
      shows: 'Failed: look up',
      told: 'invalid_arguments',
      runs: 0,
    }),
    toolFault({
      name: 'arguments that the schema changes',
      about: 'The schema answers later, with a value of its own.',
      sees: '“Used: look up”, and the answer.',
      members: `${schema('return Promise.resolve({ value: { order: Number(value.order) } });')} ${working}`,
      shows: 'Used: look up',
      told: { order: 7, status: 'shipped' },
    }),
    toolFault({
      name: 'a result that is too large',
      about: 'The tool answers more than 8,000 characters.',
      sees: '“Did not work”, and the answer.',
      members: 'run: () => { window.runs++; return { text: "x".repeat(8_000) }; }',
      shows: 'Failed: look up',
      told: 'result_too_large',
    }),
    toolFault({
      name: 'a result that is no JSON',
      about: 'The tool answers an object that contains itself.',
      sees: '“Did not work”, and the answer.',
      members: 'run: () => { window.runs++; const loop = {}; loop.loop = loop; return loop; }',
      shows: 'Failed: look up',
      told: 'invalid_result',
    }),
    toolFault({
      name: 'a tool that hangs',
      about: 'The tool never settles and ignores its signal.',
      sees: 'After the call’s own time-out “Did not work”, and the answer.',
      members: 'run: () => { window.runs++; return new Promise(() => {}); }',
      page: { clock: true },
      meanwhile: async (page) => {
        await page.element.locator('.tool-running').waitFor();
        await page.pass(15_500);
      },
      shows: 'Failed: look up',
      told: 'timeout',
    }),
    toolFault({
      name: 'a tool with a time-out of its own',
      about: 'The tool gives itself two seconds, and hangs.',
      sees: 'After two seconds “Did not work”, and the answer.',
      members: 'timeoutMs: 2_000, run: () => { window.runs++; return new Promise(() => {}); }',
      page: { clock: true },
      meanwhile: async (page) => {
        await page.element.locator('.tool-running').waitFor();
        await page.pass(2_500);
      },
      shows: 'Failed: look up',
      told: 'timeout',
    }),
    toolFault({
      name: 'a schema that hangs',
      about: 'The tool’s schema never settles.',
      sees: 'After the call’s own time-out “Did not work”, and the answer.',
      members: `${schema('return new Promise(() => {});')} ${working}`,
      page: { clock: true },
      meanwhile: async (page) => {
        await page.keeps('visitor confirmed: Hi', 'ai interrupted: ', 'pair cnv_1');
        await page.page.waitForTimeout(100);
        await page.pass(15_500);
      },
      shows: 'Failed: look up',
      told: 'timeout',
      runs: 0,
    }),
    toolFault({
      name: 'the visitor allows',
      about: 'The tool asks the visitor first, and names the values.',
      sees: 'The question with the values; a click in the first moments counts for nothing.',
      members: prompt + working,
      meanwhile: async (page) => {
        await page.button('Allow').waitFor();
        // In one task with the prompt’s appearance, as a finger that was on its way.
        await page.until(
          async () => (await page.element.locator('.tool-prompt').innerText()).split(/\s*\n+\s*/),
          ['Look up order 7?', 'order', '7', 'Allow', 'Don’t allow'],
        );
        await page.page.waitForTimeout(450);
        await page.button('Allow').click();
      },
      shows: 'Used: look up',
      told: { order: '7', status: 'shipped' },
    }),
    toolFault({
      name: 'the visitor refuses',
      about: 'The visitor does not allow the tool.',
      sees: '“Not allowed”, and the answer; the tool never runs.',
      members: prompt + working,
      meanwhile: async (page) => {
        await page.button('Don’t allow').waitFor();
        await page.page.waitForTimeout(450);
        await page.button('Don’t allow').click();
      },
      shows: 'Not allowed: look up',
      told: 'refused_by_visitor',
      runs: 0,
    }),
    toolFault({
      name: 'a click under the prompt',
      about: 'The prompt appears under a finger that is on its way: within 400 milliseconds.',
      sees: 'That click counts for nothing; the prompt stays until it has been read.',
      members: prompt + working,
      page: {
        init: `${offering(prompt + working)}
          window.early = 0;
          requestAnimationFrame(function look() {
            const button = document.querySelector('workspace-chat')?.shadowRoot?.querySelector('.tool-prompt button');
            if (button && !window.early) { window.early = 1; button.click(); requestAnimationFrame(() => button.click()); }
            if (!window.early) requestAnimationFrame(look);
          });`,
      },
      meanwhile: async (page) => {
        await page.page.waitForFunction('window.early');
        await page.until(() => page.page.evaluate('window.runs'), 0);
        await page.button('Don’t allow').waitFor();
        await page.page.waitForTimeout(450);
        await page.button('Don’t allow').click();
      },
      shows: 'Not allowed: look up',
      told: 'refused_by_visitor',
      runs: 0,
    }),
    toolFault({
      name: 'the same call twice',
      about: 'The service asks for the same call a second time.',
      sees: 'One run, told once.',
      members: working,
      times: 2,
      shows: 'Used: look up',
      told: { order: '7', status: 'shipped' },
    }),
    {
      name: 'the same call in another tab',
      about: 'The service asks for a call again, in the turn of another tab.',
      sees: 'One run, told once; in the other tab the answer alone.',
      page: { init: offering(working) },
      async prove(page, server) {
        let stream: Exchange | undefined;
        const ask = (exchange: Exchange) => (stream = exchange.stream().event('client_tool', call()));
        server.answer(ask, ask);
        server.answerTools(good);
        await page.send('Hi');
        await server.received(2);
        stream!.event('done', started()).end();
        await page.shows(...whole('Used: look up'));
        const tab = await page.openTab();
        await tab.shows(...whole('Used: look up'));
        await tab.send('More');
        await server.received(3);
        stream!.event('done', response({ message: { id: 'msg_2', role: 'assistant', content: 'Again' } })).end();
        await tab.shows(...whole('Used: look up'), 'visitor: More', 'agent: Again');
        await page.until(async () => results(server), [{ order: '7', status: 'shipped' }]);
        await page.until(() => page.page.evaluate('window.runs'), 1);
        await tab.until(() => tab.page.evaluate('window.runs'), 0);
        await page.until(async () => (await page.stored())?.at(-1), 'pair cnv_1');
      },
    },
    answerFault('the result is lost twice', 'The connection is reset as the result is told.', 3, cut, cut, good),
    answerFault(
      'too many results',
      'The service asks for patience as the result is told.',
      2,
      refused(429, 'rate_limited', { 'retry-after': '2' }),
      good,
    ),
    answerFault('call_closed', 'The service has given the call up already.', 1, refused(409, 'call_closed')),
    answerFault('unknown_call', 'The service does not know the call.', 1, refused(404, 'unknown_call')),
    {
      name: 'a result that comes too late',
      about: 'The answer ends before the tool does.',
      sees: 'The answer; the run counts as failed, and its result is told to nobody.',
      page: {
        init: offering('run: () => new Promise((resolve) => { window.runs++; window.finish = () => resolve({}); })'),
      },
      async prove(page, server) {
        const turn = held();
        server.answer(turn.misdeed);
        await page.send('Hi');
        const exchange = (await turn.exchange).stream().event('client_tool', call());
        await page.page.waitForFunction('window.finish');
        exchange.event('done', started()).end();
        await page.shows(...whole('Failed: look up'));
        await page.page.evaluate('window.finish()');
        await page.settled();
        await page.keeps(...keptWhole);
        await page.until(async () => [server.posts.length, server.results.length], [1, 0]);
      },
    },
    {
      name: 'the watch rests while a tool runs',
      about: 'A tool takes two minutes, in which the stream says nothing.',
      sees: 'The run, then the answer: nothing is taken for a stall.',
      page: {
        clock: true,
        init: offering('run: () => new Promise((resolve) => { window.runs++; window.finish = () => resolve({}); })'),
      },
      async prove(page, server) {
        let stream: Exchange | undefined;
        server.answer((exchange) => (stream = exchange.stream().event('client_tool', call({ timeout_ms: 300_000 }))));
        server.answerTools(good);
        await page.send('Hi');
        await page.page.waitForFunction('window.finish');
        await page.pass(120_000);
        await page.page.evaluate('window.finish()');
        await server.received(2);
        stream!.event('done', started()).end();
        await page.shows(...whole('Used: look up'));
        await page.keeps(...keptWhole);
        await page.until(async () => server.posts.length, 1);
      },
    },
  ],
};
