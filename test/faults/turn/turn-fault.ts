/** The kinds of faults of a streamed reply, with their transcript and their stored record. */
import { eventText, started } from '../../support/fakes/fake-service.ts';
import type { PageOptions } from '../../support/pages/fault-page.ts';
import type { Fault } from '../../support/pages/fault.ts';
import type { CallHandler } from '../../support/servers/hostile-server.ts';
import type { ServerCall } from '../../support/servers/server-call.ts';

interface TurnFault extends Pick<Fault, 'name' | 'cause' | 'outcome'> {
  respond: CallHandler;
  /** Runs once the received part of the reply is rendered. */
  after?: (call: ServerCall) => unknown;
  /** Milliseconds by which the page's clock moves once the received part of the reply is rendered. */
  pass?: number;
  shows: string[];
  keeps: string[];
  page?: PageOptions;
}

/** A fault of one streamed reply to “Hi”. */
export const turnFault = ({ name, cause, outcome, respond, after, pass, shows, keeps, page }: TurnFault): Fault => ({
  name,
  cause,
  outcome,
  page: { hasFakeClock: pass !== undefined, ...page },
  async run(visitor, server) {
    let call: ServerCall | undefined;
    server.onChat((given) => respond((call = given)));
    await visitor.send('Hi');
    await server.waitForCalls(1);
    if ((after || pass) && shows.length > 1) await visitor.element.locator('.agent .text').waitFor();
    await after?.(call!);
    if (pass) await visitor.fastForward(pass);
    await visitor.waitUntilIdle();
    await visitor.expectTranscript(...shows);
    await visitor.expectStored(...keeps);
    await visitor.expectChatCalls(1);
  },
});

export const confirmed = 'visitor: Hi';

export const interrupted = (text: string) => `assistant: ${text && `${text} `}— The reply was interrupted. [Ask again]`;

/** The notice after a first reply that was cut before it delivered the credentials. */
export const unlinked = '(The next message starts a new conversation.)';

export const storedInterrupted = (text: string) => [
  'visitor confirmed: Hi',
  `ai interrupted: ${text}`,
  'notice unlinked',
  'no credentials',
];

export const storedWhole = (text: string) => ['visitor confirmed: Hi', `ai whole: ${text}`, 'credentials cnv_1'];

export const storedUnconfirmed = ['visitor unconfirmed: Hi', 'no credentials'];

const interruptedOutcome = 'The received text stays, marked as interrupted, with “Ask again”.';

export const wholeOutcome = 'The complete reply, and nothing else.';

const half: CallHandler = (call) => call.startStream().delta('Half');

/** A fault that occurs after the delta “Half”. */
export const cutFault = (name: string, cause: string, after: CallHandler, respond = half): Fault =>
  turnFault({
    name,
    cause,
    outcome: interruptedOutcome,
    respond,
    after,
    shows: [confirmed, interrupted('Half'), unlinked],
    keeps: storedInterrupted('Half'),
  });

export const wholeFault = (name: string, cause: string, respond: CallHandler, text = 'Hello there'): Fault =>
  turnFault({
    name,
    cause,
    outcome: wholeOutcome,
    respond,
    shows: [confirmed, `assistant: ${text}`],
    keeps: storedWhole(text),
  });

export const html = '<!doctype html><title>Sign in</title><h1>Sign in</h1>';

export const done = (fields?: Parameters<typeof started>[0]) => eventText('done', started(fields));

export const say = (content: string) => ({ message: { id: 'msg_1', role: 'assistant', content } });

export const wholeText = eventText('delta', { text: 'Hello there' }) + done();
