/** The erasures that are not durable yet. Every tab treats their records as erased. */
import { isObject, parseJson, toObjects, toText } from '../../api/decode-values.ts';
import { toJson } from '../../api/encoding.ts';
import { intentName, type Epoch, type Erasure } from './erasure-intent.ts';

export interface Erasures {
  get(key: string): Erasure | null;
  set(key: string, erasure: Erasure): void;
  /** Called when the erasure with this epoch is durable. A newer one stays. */
  clear(key: string, epoch: string): void;
}

const decodeErasure = (text: string | null): Erasure | null => {
  const value = parseJson(text ?? 'null');
  if (!isObject(value) || typeof value['erasedAt'] !== 'number') return null;
  const { epoch, known, erasedAt, isOwnedOnly } = value;
  // An epoch of another shape equals none.
  const epochs = Array.isArray(known) ? (toObjects(known) as unknown as Epoch[]) : null;
  return { epoch: toText(epoch), known: epochs, erasedAt, isOwnedOnly: isOwnedOnly === true };
};

/** The stores of the intents. Access to one of them throws where it is blocked. */
const intentStores: readonly (() => Storage)[] = [() => localStorage, () => sessionStorage];

/** Where both stores are blocked, the erasures last as long as the page. */
const inMemory = new Map<string, Erasure>();

const use = <Value>(open: () => Storage, operate: (store: Storage) => Value): Value | null => {
  try {
    return operate(open());
  } catch {
    // The store is blocked.
    return null;
  }
};

const get = (key: string): Erasure | null => {
  const read = (store: Storage) => decodeErasure(store.getItem(intentName(key)));
  return intentStores.map((open) => use(open, read)).find(Boolean) ?? inMemory.get(key) ?? null;
};

export const browserErasures: Erasures = {
  get,
  set(key, erasure) {
    const write = (store: Storage) => {
      store.setItem(intentName(key), toJson(erasure));
      return true;
    };
    if (!intentStores.some((open) => use(open, write))) inMemory.set(key, erasure);
  },
  clear(key, epoch) {
    if (get(key)?.epoch !== epoch) return;
    for (const open of intentStores) use(open, (store) => store.removeItem(intentName(key)));
    inMemory.delete(key);
  },
};
