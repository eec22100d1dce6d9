/** A storage whose operations take as many steps as a test gives them. */
import { MemoryStorage, type ConversationStorage } from '../../../src/chat/storage/storage.ts';
import { settle } from './fake-clock.ts';

/** Like transactions, the operations take place one after another: each one waits, takes place, and waits until it is done. */
export class SlowStorage implements ConversationStorage {
  readonly #stored = new MemoryStorage();
  #steps: (() => void)[] = [];
  #last: Promise<unknown> = Promise.resolve();
  #isSlow = true;

  load(key: string): Promise<unknown> {
    return this.#run(() => this.#stored.load(key));
  }

  update(key: string, change: (value: unknown) => unknown): Promise<void> {
    return this.#run(() => this.#stored.update(key, change));
  }

  keys(): Promise<string[]> {
    return this.#run(() => this.#stored.keys());
  }

  /** Lets the operation in progress take its next step, if there is one. */
  async step(): Promise<void> {
    this.#steps.shift()?.();
    await settle();
  }

  /** Completes all operations, also the later ones, without waiting. */
  async speedUp(): Promise<void> {
    this.#isSlow = false;
    while (this.#steps.length > 0) await this.step();
  }

  #run<Value>(operate: () => Promise<Value>): Promise<Value> {
    const result = this.#last.then(async () => {
      await this.#pause();
      const value = await operate();
      await this.#pause();
      return value;
    });
    this.#last = result.catch(() => {});
    return result;
  }

  async #pause(): Promise<void> {
    if (this.#isSlow) await new Promise<void>((resolve) => this.#steps.push(resolve));
  }
}
