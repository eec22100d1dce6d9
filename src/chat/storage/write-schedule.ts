/** Decides when the state is written, and writes one time after the other. */
import type { Clock } from '../../api/clock.ts';
import type { ChatEvent } from '../state/chat-event.ts';
import { liveReply, type ConversationState } from '../state/state.ts';

/** Events that take over what is stored, or that change nothing in the record. */
const ignoredEvents = new Set<ChatEvent['type']>(['restored', 'cleared', 'locked']);
/** The text of a reply changes many times a second. Milliseconds between two writes of it. */
const textDelay = 1_000;

const changesRecord = (state: ConversationState, previous: ConversationState): boolean =>
  liveReply(state) !== liveReply(previous) ||
  (['messages', 'queued', 'conversationId', 'state', 'unread', 'submitted'] as const).some(
    (field) => state[field] !== previous[field],
  );

export class WriteSchedule {
  readonly #clock: Clock;
  readonly #write: () => Promise<void>;
  #isDirty = false;
  #cancel: (() => void) | null = null;
  #start = () => {};
  /** The last write. The first one waits for `start`. */
  #writing = new Promise<void>((resolve) => {
    this.#start = resolve;
  });

  /** @param write Writes the current state. It never rejects. */
  constructor(clock: Clock, write: () => Promise<void>) {
    this.#clock = clock;
    this.#write = write;
  }

  /** The record has been read: before that, this tab does not know what it may write. */
  start(): void {
    this.#start();
  }

  /** Schedules a write if the record has changed, or may have expired before the visitor has returned to it. */
  onChange(state: ConversationState, { type }: ChatEvent, previous: ConversationState, isExpired: boolean): void {
    if (!ignoredEvents.has(type) && changesRecord(state, previous)) this.add(type === 'text-added' ? textDelay : 0);
    else if (type === 'draft-changed' && isExpired) this.add(textDelay);
  }

  /** Schedules a write. A delayed one is not delayed again, so that a long reply is written while it streams. */
  add(delay = 0): void {
    this.#isDirty = true;
    if (delay > 0 && this.#cancel) return;
    this.#cancelTimer();
    // Events of the same task are written together.
    this.#cancel = this.#clock.after(delay, () => void this.flush());
  }

  /** Drops the writes that have not begun. */
  clear(): void {
    this.#cancelTimer();
    this.#isDirty = false;
  }

  /** Settles when the current state is written. */
  flush(): Promise<void> {
    this.#cancelTimer();
    if (this.#isDirty) {
      this.#isDirty = false;
      this.#writing = this.#writing.then(this.#write);
    }
    return this.#writing;
  }

  #cancelTimer(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}
