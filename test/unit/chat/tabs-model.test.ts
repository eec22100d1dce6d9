/** Random sequences of up to six tabs with a slow storage, crashes, reloads without a pause and lost messages between the tabs. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { isBusy, type VisitorMessage } from '../../../src/chat/state/state.ts';
import { createErasures } from '../../support/fakes/conversation.ts';
import { FakeClock } from '../../support/fakes/fake-clock.ts';
import {
  eventText,
  json,
  refusal,
  response,
  started,
  streamed,
  unreachable,
  type FakeResponse,
} from '../../support/fakes/fake-service.ts';
import { SlowStorage } from '../../support/fakes/slow-storage.ts';
import { CrashingBrowser, TabProcess, type TabSession } from '../../support/fakes/tab-process.ts';

const { IS_QUICK, MODEL_RUNS = IS_QUICK ? '100' : '1000', MODEL_SEED = '11' } = process.env;
const maxTabs = 6;

interface Setting {
  hasChannel: boolean;
  hasLocks: boolean;
}

/** An action that is listed more often happens more often. */
const actions = (
  'type type send send send stop edit again again reload crash open close ' +
  'resume reset wait wait respond store store store store store'
).split(' ');

const behaviors = [
  'quick',
  'quick',
  'quick',
  'held',
  'held',
  'lost before',
  'lost after',
  'cut',
  '503',
  '500',
  '422',
] as const;

interface Step {
  action: string;
  /** Chooses a tab, and one of its messages. */
  dice: number;
  behavior: (typeof behaviors)[number];
  /** Whether messages to other tabs arrive during the step. */
  isHeard: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  action: fc.constantFrom(...actions),
  dice: fc.nat(999),
  behavior: fc.constantFrom(...behaviors),
  isHeard: fc.integer({ min: 0, max: 3 }).map(Boolean),
});

const markersIn = (value: unknown): string[] => JSON.stringify(value ?? null).match(/<\d+>/g) ?? [];

class Model {
  readonly clock = new FakeClock();
  readonly storage = new SlowStorage();
  readonly browser: CrashingBrowser;
  readonly tabs: TabProcess[] = [];
  /** The texts that have to be found, those that must not be found, and the others. */
  readonly kept = new Set<string>();
  readonly erased = new Set<string>();
  /** Texts that a tab was sending when it was closed, while the storage did not respond. */
  readonly forgotten = new Set<string>();
  /** How often the service has taken a text, and how often it was sent. */
  readonly taken = new Map<string, number>();
  /** The messages that the service has taken, as a whole: a message that is edited is another one. */
  readonly takenContents = new Set<string>();
  readonly sends = new Map<string, number>();
  #step: Step | null = null;
  #held: (() => void)[] = [];
  #count = 0;
  /** What the service has responded, by Idempotency-Key. */
  readonly #responses = new Map<string, ReturnType<typeof response>>();
  /** The processes that may not know of an erasure yet. It may or may not reach what is typed there. */
  readonly #outdated = new WeakSet<TabProcess>();

  constructor({ hasChannel, hasLocks }: Setting) {
    this.browser = new CrashingBrowser({
      clock: this.clock,
      storage: this.storage,
      erasures: createErasures(),
      hasLocks,
      isDelivered: () => hasChannel && (this.#step?.isHeard ?? true),
      fetch: (_input, init) => this.#respond(init!),
    });
  }

  open(session: TabSession = { drafts: null }): TabProcess {
    return new TabProcess(this.browser, session);
  }

  async run(steps: readonly Step[]): Promise<void> {
    this.tabs.push(this.open());
    for (const [index, each] of steps.entries()) {
      this.#step = each;
      await this.#act(each, index);
      await this.clock.advance(1);
    }
    this.#step = null;
    for (const respond of this.#held.splice(0)) respond();
    await this.storage.speedUp();
    await this.clock.advance(400_000);
    for (const { conversation } of this.tabs) {
      await conversation.resume();
      await this.clock.advance(1_000);
    }
  }

  /** Returns where a text is: in a tab, or in the storage. */
  async find(): Promise<string> {
    const states = this.tabs.map(({ conversation }) => conversation.store.state);
    return JSON.stringify([states, await this.storage.load('key'), this.tabs.map(({ session }) => session)]);
  }

  async #act({ action, dice }: Step, index: number): Promise<void> {
    const place = dice % this.tabs.length;
    const tab = this.tabs[place]!;
    const { conversation } = tab;
    const { messages } = conversation.store.state;
    const open = messages.filter(
      (each): each is VisitorMessage => each.role === 'user' && each.delivery !== 'confirmed',
    );
    const message = open[dice % (open.length || 1)];
    const marker = `<${index}>`;
    switch (action) {
      case 'type':
        return this.#type(tab, marker);
      case 'send':
        this.#type(tab, marker);
        this.#countSends(conversation.store.state.draft);
        return conversation.sendDraft();
      case 'stop':
        return conversation.stop();
      case 'edit':
        return message && conversation.edit(message.key);
      case 'again':
        if (message) this.#countSends(message.text);
        return message && void conversation.sendAgain(message.key);
      case 'reload':
      case 'crash':
        if (action === 'reload') conversation.suspend();
        this.#end(tab);
        this.tabs[place] = this.open(tab.session);
        return;
      case 'open':
        if (this.tabs.length < maxTabs) this.tabs.push(this.open());
        return;
      case 'close':
        if (this.tabs.length === 1) return;
        conversation.suspend();
        // A closed tab loses its draft, and what the storage had no time to take.
        for (const lost of markersIn(tab.session)) this.kept.delete(lost);
        this.#forgetBegun(tab);
        this.#end(tab);
        this.tabs.splice(place, 1);
        return;
      case 'resume':
        return void conversation.resume();
      case 'reset':
        for (const text of this.kept) this.erased.add(text);
        this.#outdated.delete(tab);
        this.kept.clear();
        for (const other of this.tabs) if (other !== tab) this.#outdated.add(other);
        return void conversation.reset();
      case 'wait':
        return this.clock.advance(1 + dice * 3);
      case 'respond':
        return this.#held.shift()?.();
      case 'store':
        return this.storage.step();
      default:
        throw new Error(`There is no action “${action}”.`);
    }
  }

  #type(tab: TabProcess, marker: string): void {
    const { conversation } = tab;
    conversation.setDraft(`${conversation.store.state.draft} ${marker}`.trim());
    if (!this.#outdated.has(tab)) this.kept.add(marker);
  }

  /** What was delivered while the storage did not respond is only in the page. */
  #end(tab: TabProcess): void {
    const { messages } = tab.conversation.store.state;
    for (const message of messages)
      if (message.role === 'user' && message.delivery === 'confirmed')
        for (const text of markersIn(message.text)) this.kept.delete(text);
    tab.kill();
  }

  /** A tab that is closed before the storage has taken it leaves nothing that says that a message may have arrived. */
  #forgetBegun({ conversation, session }: TabProcess): void {
    const begun = Object.values(session.drafts?.byOwner ?? {}).flatMap((drafts) => drafts.begun);
    for (const message of conversation.store.state.messages)
      if (message.role === 'user' && begun.includes(message.key))
        for (const text of markersIn(message.text)) this.forgotten.add(text);
  }

  #countSends(text: string): void {
    for (const marker of markersIn(text)) this.sends.set(marker, (this.sends.get(marker) ?? 0) + 1);
  }

  #respond(init: RequestInit): Promise<Response> {
    const { messages, conversation_id: id } = JSON.parse(init.body as string) as {
      messages: { content: string }[];
      conversation_id?: string;
    };
    const { content } = messages.at(-1)!;
    const markers = markersIn(content);
    const behavior = this.#step?.behavior ?? 'quick';
    const idempotencyKey = new Headers(init.headers).get('idempotency-key');
    const take = () => {
      const replayed = idempotencyKey === null ? undefined : this.#responses.get(idempotencyKey);
      if (replayed) return replayed;
      for (const marker of markers) this.taken.set(marker, (this.taken.get(marker) ?? 0) + 1);
      this.takenContents.add(content);
      const message = { ...response().message!, id: `msg_${++this.#count}` };
      const fields = { conversation_id: id ?? `cnv_${this.#count}`, message };
      const taken = id ? response(fields) : started(fields);
      if (idempotencyKey !== null) this.#responses.set(idempotencyKey, taken);
      return taken;
    };
    const reply = (): FakeResponse => (idempotencyKey === null ? streamed(take(), 'Hello ') : json(take()));
    const call = undefined as never;
    const replies: Record<(typeof behaviors)[number], () => Promise<Response> | Response> = {
      quick: () => reply()(call),
      held: () => new Promise((resolve) => this.#held.push(() => resolve(reply()(call)))),
      'lost before': () => unreachable(call),
      'lost after': () => {
        take();
        return unreachable(call);
      },
      cut: () => {
        take();
        const [type, half] =
          idempotencyKey === null
            ? ['text/event-stream', eventText('delta', { text: 'Half' })]
            : ['application/json', '{"message": '];
        return new Response(half, { headers: { 'content-type': type } });
      },
      '503': () => refusal(503, 'service_unavailable', { 'retry-after': '2' })(call),
      '500': () => refusal(500, 'internal_error')(call),
      '422': () => refusal(422, 'validation_error')(call),
    };
    const { signal } = init;
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
      Promise.resolve(replies[behavior]()).then(resolve, reject);
    });
  }
}

const check = async (model: Model): Promise<void> => {
  const found = await model.find();
  for (const text of model.kept) assert.ok(found.includes(text), `${text} is lost`);
  for (const text of model.erased) assert.ok(!found.includes(text), `${text} is not erased`);
  for (const [text, count] of model.taken)
    assert.ok(count <= (model.sends.get(text) ?? 0), `${text} was taken ${count} times, and sent less often`);
  for (const [index, { conversation }] of model.tabs.entries()) {
    const { state } = conversation.store;
    assert.ok(!isBusy(state), `tab ${index} stays ${state.turn.status}`);
    assert.ok(!state.isOtherTabBusy, `tab ${index} waits for another tab`);
    assert.deepEqual(state.queued, [], `tab ${index} has queued messages`);
    for (const message of state.messages) {
      if (message.role !== 'user' || message.delivery !== 'unsent') continue;
      const isTaken =
        model.takenContents.has(message.text) && !markersIn(message.text).some((text) => model.forgotten.has(text));
      assert.ok(!isTaken, `tab ${index} shows “Not sent” for ${message.text}`);
    }
  }
};

/** Returns steps such as `wait 299 cut`: the action, the dice and the behavior of the service. No message arrives in the other tabs. */
const stepsOf = (text: string): Step[] =>
  text.split(', ').map((each) => {
    const [action, dice = 0, ...behavior] = each.split(' ');
    return {
      action: action!,
      dice: Number(dice),
      behavior: (behavior.join(' ') || 'quick') as Step['behavior'],
      isHeard: false,
    };
  });

/** Sequences that failed before, or that random ones reach seldom. */
const examples: Step[][] = [
  // The page ends while the storage still has a message as not sent that the service has taken, alone and beside another tab.
  stepsOf('send, store, store, wait 30, store, wait 842, wait 999, wait 999, reload'),
  stepsOf('send, store, store, wait 30, store, wait 842, open, wait 999, wait 999, reload'),
  // A tab reads the record again while the storage is slow. Another one has erased it.
  stepsOf(`open, store, store, wait 914, type, reset 231, wait 747${', type'.repeat(10)}`),
  // The visitor stops and edits a message that waits to be repeated, since it may have arrived.
  stepsOf('send, wait 299 cut, send 0 lost after, stop, edit, wait 999'),
];

const settings: readonly Setting[] = [
  { hasChannel: true, hasLocks: true },
  { hasChannel: false, hasLocks: true },
  { hasChannel: true, hasLocks: false },
];

describe('Up to six tabs', () => {
  for (const setting of settings) {
    const title = `${setting.hasChannel ? 'with' : 'without'} BroadcastChannel, ${
      setting.hasLocks ? 'with' : 'without'
    } Web Locks`;
    it(`lose no text, send none twice, and bring no erased one back, ${title}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), async (steps) => {
          const model = new Model(setting);
          await model.run(steps);
          await check(model);
        }),
        {
          numRuns: Number(MODEL_RUNS),
          seed: Number(MODEL_SEED),
          examples: examples.map((steps): [Step[]] => [steps]),
          includeErrorInReport: true,
        },
      );
    });
  }
});
