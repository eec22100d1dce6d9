/** A client tool of the page, and a fault of one call of it. */
import { started } from '../../support/fakes/fake-service.ts';
import type { FaultPage, PageOptions } from '../../support/pages/fault-page.ts';
import type { Fault } from '../../support/pages/fault.ts';
import { poll } from '../../support/poll.ts';
import type { HostileServer } from '../../support/servers/hostile-server.ts';
import type { ServerCall } from '../../support/servers/server-call.ts';
import { storedWhole } from '../expected.ts';

export const whole = (run: string) => ['visitor: Hi', `assistant: {${run}} Hello there`];

export const good = (call: ServerCall) => call.respond(200, 'application/json', '{"ok":true}');

export const toolCall = (fields: object = {}) => ({
  conversation_id: 'cnv_1',
  conversation_token: 'tok_1',
  call_id: 'call_1',
  name: 'look_up',
  arguments: { order: '7' },
  timeout_ms: 15_000,
  ...fields,
});

/** Registers the tool `look_up` with these members. */
export const offering = (members: string): string => `
  window.prepare = () => {
    const { create } = window;
    window.runs = 0;
    window.create = (...args) => {
      const element = create(...args);
      customElements.whenDefined('workspace-chat').then(() => element.registerTool({ name: 'look_up', title: 'Order status', ${members} }));
      return element;
    };
  };
`;

export const working = 'run: ({ order }) => { window.runs++; return { order, status: "shipped" }; }';

export const results = (server: HostileServer) =>
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
  page?: PageOptions;
  allowedErrors?: RegExp;
  meanwhile?: (page: FaultPage) => Promise<void>;
}

/** One tool call. The reply ends once the result has been sent. */
export const toolFault = ({
  name,
  cause,
  outcome,
  members,
  shows,
  sentResult,
  runs = 1,
  fields,
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
      stream = call.startStream().event('client_tool', toolCall(fields));
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
