/**
 * Stores which proof each conversation is bound to. A file keeps the bindings over a restart, because a relay accepts a
 * first proof only in the first minute of a conversation.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { JsonFile } from './json-file.ts';

interface Binding {
  /** The SHA-256 of the proof, so that the file alone gives no access. */
  hash: string;
  expiresAt: number;
}

/** A conversation ends after 24 hours. Its page may read the last replies for another day. */
const lifetime = 48 * 60 * 60 * 1000;

const hashOf = (proof: Buffer): string => createHash('sha256').update(proof).digest('hex');

export class Bindings {
  readonly #bindings: Map<string, Binding>;
  readonly #file: JsonFile<Binding>;
  readonly #now: () => number;

  constructor(file: string | undefined, now: () => number) {
    this.#file = new JsonFile(file);
    this.#now = now;
    this.#bindings = new Map(this.#file.read());
  }

  /** Returns whether the proof is the one of the conversation, or undefined when the conversation has none yet. */
  matches(id: string, proof: Buffer): boolean | undefined {
    const binding = this.#bindings.get(id);
    if (!binding) return undefined;
    return timingSafeEqual(Buffer.from(binding.hash), Buffer.from(hashOf(proof)));
  }

  /** Whether a page has proven the conversation. */
  has(id: string): boolean {
    return this.#bindings.has(id);
  }

  /** Resolves when the binding is stored. */
  async add(id: string, proof: Buffer): Promise<void> {
    for (const [old, { expiresAt }] of this.#bindings) if (expiresAt <= this.#now()) this.#bindings.delete(old);
    this.#bindings.set(id, { hash: hashOf(proof), expiresAt: this.#now() + lifetime });
    await this.#file.write(this.#bindings);
  }
}
