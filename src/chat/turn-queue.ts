/** Runs the turns of a conversation one after another, one tab at a time, and ends the one in progress. */
import { ApiError, type Stage } from '../api/errors.ts';
import type { ChatResponse } from '../../contract/wire.ts';
import { reportMissingCredentials } from './recovery.ts';
import { visitorMessage } from './state/messages.ts';
import { isBusy, type Delivery, type VisitorMessage } from './state/state.ts';
import type { Tabs } from './tabs.ts';
import { Turn } from './turn.ts';
import type { TurnHost } from './turn-host.ts';

const deliveries: Record<Stage, Delivery> = { refused: 'unsent', unconfirmed: 'unconfirmed', accepted: 'confirmed' };

export class TurnQueue {
  readonly #host: TurnHost;
  readonly #tabs: Tabs;
  /**
   * The turns that have not ended, in the order in which they run. The last one that has started is in progress. One before it is being
   * saved, or was stopped and waits for the credentials. Those after it are queued.
   */
  #turns: readonly Turn[] = [];
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(host: TurnHost, tabs: Tabs) {
    this.#host = host;
    this.#tabs = tabs;
    host.store.subscribe((_state, event, previous) => {
      const isHidden = event.type === 'locked' && event.kept === 'nothing' && previous.status !== 'locked';
      // The turns are part of the conversation that is locked, and continue with it.
      if (isHidden) for (const turn of this.#turns) turn.hold();
      if (event.type === 'unlocked') for (const turn of this.#turns) turn.release();
    });
  }

  /** Runs a turn after those before it. Never rejects: a failure becomes part of the state. */
  add(message: VisitorMessage): Promise<ChatResponse | null> {
    const { store } = this.#host;
    const isFree = !isBusy(store.state) && store.state.queued.length === 0 && !this.#turns.some(({ isHeld }) => isHeld);
    const isEarlierEnding = this.#turns.length > 0;
    const turn = new Turn(message, this.#host);
    this.#turns = [...this.#turns, turn];
    if (isFree) turn.start();
    else store.dispatch({ type: 'message-queued', message });
    if (isFree && isEarlierEnding) store.dispatch({ type: 'turn-delayed', reason: 'previous', until: null });
    const result = this.#last.then(() => this.#run(turn));
    this.#last = result;
    return result;
  }

  /** Sends a message again whose delivery failed or is unconfirmed. */
  async sendAgain(key: string): Promise<ChatResponse | null> {
    const { state } = this.#host.store;
    const message = visitorMessage(state, key);
    if (!message || message.delivery === 'confirmed' || isBusy(state)) return null;
    const { tab } = this.#host.archive;
    const attempt = (message.attempt ?? 0) + 1;
    const isDoubtful = message.delivery === 'unconfirmed';
    return this.add({ ...message, tab, attempt, delivery: 'unsent', isDoubtful });
  }

  /** Moves a message that was not delivered into the composer. */
  edit(key: string): void {
    const { store, frozenCalls } = this.#host;
    if (isBusy(store.state)) return;
    frozenCalls.delete(key);
    store.dispatch({ type: 'message-edited', key });
  }

  /** Ends the turns of the conversation that is locked. A message that was queued can be sent again. */
  endHeld(): void {
    for (const turn of this.#turns.filter(({ isHeld }) => isHeld)) {
      turn.start();
      turn.dispatch({ type: 'turn-stopped' });
      turn.abort();
    }
  }

  /** Ends the turns beside the conversation that is locked. */
  endOthers(): void {
    for (const turn of this.#turns) if (!turn.isHeld) turn.abort();
  }

  get #inProgress(): Turn | undefined {
    return this.#turns.findLast(({ isStarted }) => isStarted);
  }

  /** Stops the turn for the visitor. The text that has arrived stays. */
  stop(): void {
    const { store } = this.#host;
    const { state } = store;
    const turn = this.#inProgress;
    if (!turn || !isBusy(state)) return;
    if (turn.stage === 'refused') {
      store.dispatch({ type: 'turn-withdrawn' });
      turn.abort();
      return;
    }
    store.dispatch({ type: 'turn-stopped' });
    // Ending the call would lose a conversation that has started but whose credentials have not arrived yet.
    if (state.conversationId === null && state.turn.status !== 'waiting') turn.hide();
    else turn.abort();
  }

  /** Ends the turns because their conversation is being erased. */
  end(): void {
    for (const turn of this.#turns) turn.abort();
  }

  /**
   * Ends the turns that have started, because the page is being left. A page in the back/forward cache receives no more data. Its
   * queue continues when it is shown again.
   */
  suspend(): void {
    const turn = this.#inProgress;
    if (turn?.stage === 'refused') turn.dispatch({ type: 'turn-stopped' });
    else if (turn) this.#fail(turn, new ApiError(turn.stage === 'accepted' ? 'interrupted' : 'network', turn.stage));
    for (const each of this.#turns) if (each.isStarted) each.abort();
  }

  /** Ends the turns, and starts no other one. */
  close(): void {
    this.#isClosed = true;
    this.suspend();
    this.end();
  }

  async #run(turn: Turn): Promise<ChatResponse | null> {
    const { archive, store } = this.#host;
    const onWaiting = () => turn.dispatch({ type: 'turn-delayed', reason: 'other_tab', until: null });
    try {
      await turn.whenReleased();
      turn.start();
      return await this.#tabs.runExclusive(() => turn.run(), turn.signal, onWaiting);
    } catch (error) {
      this.#fail(turn, error);
      return null;
    } finally {
      turn.abort();
      this.#turns = this.#turns.filter((each) => each !== turn);
      await archive.flush();
      const mayLackCredentials = turn.isHidden || turn.stage === 'accepted';
      if (mayLackCredentials && store.state.conversationId === null && !this.#isClosed) {
        await reportMissingCredentials(turn.message, this.#host);
      }
    }
  }

  #fail(turn: Turn, error: unknown): void {
    if (!turn.isShown) return;
    const { stage } = turn;
    // Another tab has stolen the lock from this page, which was frozen during its turn.
    const isTakenOver = error instanceof DOMException && error.name === 'AbortError';
    // The sentence for `network` says that the message may have arrived.
    const ownCode = isTakenOver && stage !== 'refused' ? 'network' : 'internal';
    const known = error instanceof ApiError ? error : new ApiError(ownCode, stage);
    if (known !== error && !isTakenOver) console.error('workspace-chat:', error);
    const { code, status, requestId, detail } = known;
    const problem = { code, status, requestId, detail };
    turn.dispatch({ type: 'turn-failed', problem, delivery: deliveries[stage] });
  }
}
