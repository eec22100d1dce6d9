/** The behaviors of the server, one of which is drawn for each request. */
import type { OptionsBlock } from '../../contract/wire.ts';
import type { VirtualTime } from './virtual-time.ts';
import type { ServerCall } from '../support/servers/server-call.ts';
import { errorResponse } from '../support/servers/server-faults.ts';

/** A turn of the fake service: what a behavior may do with the request. */
export interface ServerTurn {
  readonly call: ServerCall;
  readonly time: VirtualTime;
  /** The text of the reply. It contains the markers of the replies. */
  readonly text: string;
  readonly isStreamed: boolean;
  readonly hasConversation: boolean;
  readonly hasContact: boolean;
  readonly offersTools: boolean;
  /** Processes the message and returns the complete response. Each call after the first returns the same conversation. */
  process(fields?: object): object;
  /** The widget shows the message as confirmed from now on. */
  accept(): void;
  /** The conversation is over: the service refuses every later request with this code. */
  endConversation(code: 'conversation_expired' | 'conversation_not_found'): void;
  /** The service takes the visitor for another one. */
  mistakeVisitor(): void;
  /** Returns the data of a `client_tool` event. `onResult` is called once, with the tool's result or without. */
  callTool(onResult: () => void): object;
  /** Returns a block that offers texts of the visitor. */
  optionsBlock(): OptionsBlock;
}

type Behavior = (turn: ServerTurn) => void;

const second = 1_000;

/** Responds at once with a complete response, streamed or plain. */
const respond = (turn: ServerTurn, fields: object = {}, deltas: readonly string[] = [turn.text]): void => {
  const { call, isStreamed } = turn;
  const done = turn.process(fields);
  turn.accept();
  if (!isStreamed) return call.respond(200, 'application/json', JSON.stringify(done));
  call.startStream();
  for (const delta of deltas) call.delta(delta);
  call.event('done', done).end();
};

const refuse =
  (status: number, code: string, headers?: Record<string, string>): Behavior =>
  ({ call }) =>
    void errorResponse(status, code, headers)(call);

const person = { message: null, state: 'human_active', outcome: null };

const formBlock = {
  type: 'form',
  title: 'Details',
  fields: [{ key: 'note', label_en: 'Note', label_ar: 'Note', kind: 'text', options: [], required: true }],
};

/** Writes the head and the first part of a response. */
const begin = (turn: ServerTurn): ServerCall => {
  const { call, isStreamed, text } = turn;
  turn.process();
  if (!isStreamed) return call.writeHead(200, { 'content-type': 'application/json' }).write('{"conversation_id":');
  turn.accept();
  return call.startStream().delta(`${text} `);
};

const behaviors = {
  quick: (turn) => respond(turn),
  slow: (turn) => {
    const { call, time, isStreamed, text } = turn;
    time.after(2 * second, () => {
      if (!isStreamed) return respond(turn);
      turn.process();
      turn.accept();
      call.startStream().write(': keep-alive\n\n');
    });
    if (isStreamed) {
      time.after(3 * second, () => call.delta(`${text} `));
      time.after(6 * second, () => call.delta('and more.').event('done', turn.process()).end());
    }
  },
  'with options': (turn) => respond(turn, { blocks: [turn.optionsBlock()] }),
  'with a form': (turn) => respond(turn, { blocks: [formBlock] }),
  'cut before the headers': (turn) => {
    turn.process();
    turn.call.reset();
  },
  'cut after the headers': (turn) => {
    const { call, isStreamed, time } = turn;
    turn.process();
    if (isStreamed) turn.accept();
    call.writeHead(200, { 'content-type': isStreamed ? 'text/event-stream' : 'application/json' });
    time.after(second, () => call.reset());
  },
  'cut in the reply': (turn) => {
    const call = begin(turn);
    turn.time.after(second, () => call.reset());
  },
  'ended in the reply': (turn) => begin(turn).end(),
  stalled: () => {},
  'stalled in the reply': (turn) => void begin(turn),
  'rate limited': refuse(429, 'rate_limited', { 'retry-after': '7' }),
  'rate limited for long': refuse(429, 'rate_limited', { 'retry-after': '90' }),
  unavailable: refuse(503, 'identity_unavailable', { 'retry-after': '4' }),
  expired: (turn) => {
    turn.endConversation('conversation_expired');
    refuse(410, 'conversation_expired')(turn);
  },
  'not found': (turn) => {
    turn.endConversation('conversation_not_found');
    refuse(404, 'conversation_not_found')(turn);
  },
  invalid: refuse(422, 'validation_error'),
  'invalid key': refuse(401, 'invalid_key'),
  forbidden: refuse(403, 'insufficient_scope'),
  paused: refuse(409, 'agent_unavailable'),
  'identity rejected': refuse(401, 'identity_rejected'),
  'identity mismatch': (turn) => {
    turn.mistakeVisitor();
    refuse(409, 'identity_mismatch')(turn);
  },
  'bare 502': ({ call }) => call.writeHead(502, { 'content-length': '0' }, false).end(),
  'page of a proxy': ({ call }) => call.respond(200, 'text/html', '<!doctype html><title>Sign in</title>'),
  'internal error': refuse(500, 'internal_error'),
  'error in the stream': (turn) => {
    if (!turn.isStreamed) return respond(turn);
    begin(turn)
      .event('error', { error: { code: 'internal_error', message: 'Failed', request_id: 'req_9' } })
      .end();
  },
  'client tool': (turn) => {
    const call = begin(turn);
    let isEnded = false;
    const end = () => {
      if (isEnded) return;
      isEnded = true;
      call.delta('after the tool.').event('done', turn.process()).end();
    };
    call.event('client_tool', turn.callTool(end));
    turn.time.after(20 * second, end);
  },
  'a person replies': (turn) => respond(turn, person, []),
  'a person is requested': (turn) => respond(turn, { state: 'handoff_requested', outcome: 'handoff' }),
  'empty deltas': (turn) => respond(turn, {}, ['', turn.text, '', '']),
  'two done events': (turn) => {
    if (!turn.isStreamed) return respond(turn);
    const done = turn.process();
    turn.accept();
    turn.call.startStream().delta(turn.text).event('done', done).event('done', done).end();
  },
} satisfies Record<string, Behavior>;

export type BehaviorName = keyof typeof behaviors;

export const behaviorWeights = Object.fromEntries(
  Object.keys(behaviors).map((name) => [
    name,
    name === 'quick' ? 20 : name === 'slow' || name === 'with options' ? 4 : 1.5,
  ]),
) as Record<BehaviorName, number>;

/** Refusals: the service has certainly not processed the message. */
const refusals = new Set<BehaviorName>([
  'rate limited',
  'rate limited for long',
  'unavailable',
  'expired',
  'not found',
  'invalid',
  'invalid key',
  'forbidden',
  'paused',
  'identity rejected',
  'identity mismatch',
  'internal error',
]);

export const isRefusal = (name: BehaviorName): boolean => refusals.has(name);

const canApply = (name: BehaviorName, turn: ServerTurn): boolean => {
  if (name === 'expired' || name === 'not found') return turn.hasConversation;
  if (name === 'identity mismatch') return turn.hasConversation && turn.hasContact;
  if (name === 'identity rejected' || name === 'unavailable') return turn.hasContact || name === 'unavailable';
  if (name === 'client tool') return turn.offersTools;
  return true;
};

/** Returns the drawn behavior, or a quick reply where the drawn one contradicts the contract. */
export const applicable = (name: BehaviorName, turn: ServerTurn): BehaviorName =>
  canApply(name, turn) ? name : 'quick';

export const behave = (name: BehaviorName, turn: ServerTurn): void =>
  (behaviors as Record<string, Behavior>)[name]!(turn);
