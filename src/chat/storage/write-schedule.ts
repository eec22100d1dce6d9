/** Decides when changes of the state are written, and writes one after the other. */
import type { Clock } from '../../api/clock.ts';
import type { ChatEvent } from '../state/chat-event.ts';

/** Events that change nothing in the record. */
const ignoredEvents = new Set<ChatEvent['type']>(['restored', 'cleared', 'locked', 'form-drafted']);
/** Events that change only the draft in the record, or nothing. */
const draftEvents = new Set<ChatEvent['type']>(['draft-changed', 'other-tab-changed']);
/** Events that occur many times a second. They are written at most once in `delay` milliseconds. */
const debouncedEvents = new Set<ChatEvent['type']>(['draft-changed', 'text-added']);
const delay = 1000;

export class WriteSchedule {
  readonly #clock: Clock;
  readonly #write: (hasNewRevision: boolean) => Promise<void>;
  #hasNewRevision = false;
  #isDirty = false;
  #cancel: (() => void) | null = null;
  #start = () => {};
  /** The last write. The first one waits for `start`. */
  #writing = new Promise<void>((resolve) => {
    this.#start = resolve;
  });

  /** @param write Writes the current state. `hasNewRevision` means that more than the draft has changed. */
  constructor(clock: Clock, write: (hasNewRevision: boolean) => Promise<void>) {
    this.#clock = clock;
    this.#write = write;
  }

  /** The record has been read: before that, this tab does not know its epoch, and may not write. */
  start(): void {
    this.#start();
  }

  /** Schedules a write for an event that may have changed the record. */
  onEvent({ type }: ChatEvent): void {
    if (!ignoredEvents.has(type)) this.add(!draftEvents.has(type), debouncedEvents.has(type));
  }

  add(hasNewRevision: boolean, isDebounced = false): void {
    this.#isDirty = true;
    this.#hasNewRevision ||= hasNewRevision;
    if (isDebounced && this.#cancel) return;
    this.#cancelTimer();
    // Events of the same task are written together.
    this.#cancel = this.#clock.after(isDebounced ? delay : 0, () => void this.flush());
  }

  /** Drops the writes that have not begun. */
  clear(): void {
    this.#cancelTimer();
    this.#isDirty = this.#hasNewRevision = false;
  }

  /** Settles when the current state is written. */
  flush(): Promise<void> {
    this.#cancelTimer();
    if (this.#isDirty) {
      this.#isDirty = false;
      this.#writing = this.#writing.then(() => {
        const hasNewRevision = this.#hasNewRevision;
        this.#hasNewRevision = false;
        return this.#write(hasNewRevision);
      });
    }
    return this.#writing;
  }

  #cancelTimer(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}
