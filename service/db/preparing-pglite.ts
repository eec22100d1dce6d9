/**
 * PGlite with prepared statements. Its own `query` parses and plans every statement anew, which takes most of the time of a turn's
 * statements. It sends the messages of PostgreSQL's protocol one after the other, for an unnamed statement: here they refer to a
 * prepared one instead, once the same text has run a few times. Drizzle prepares nothing for PGlite. Without this class, 100
 * streams that start at once take 25 ms of the processor each instead of 15, and their first text comes after two to three
 * times as long, which is more than 0.8 s at the 95th percentile. `service-load.ts` measures it.
 */
import { PGlite, protocol, type Results } from '@electric-sql/pglite';

type Send = PGlite['execProtocolStream'];
type Messages = Awaited<ReturnType<Send>>;

interface PreparedStatement {
  name: string;
  /** The types of its parameters. Undefined until they are described. */
  description: Messages | undefined;
}

/** Runs of a text after which it is prepared. */
const minRuns = 3;
/** Statements that stay prepared, and texts whose runs are counted. The one that was used longest ago is removed. */
const maxStatements = 200;

/** The first bytes of the messages. The parsed statement has no name yet, so its text starts at byte 6. */
const types = { parse: 'P', describe: 'D', bind: 'B' };
const firstTextByte = 6;

export class PreparingPglite extends PGlite {
  readonly #runs = new Map<string, number>();
  readonly #prepared = new Map<string, PreparedStatement>();
  /** The statement of the query that is being sent, if it is a prepared one. PGlite sends one query at a time. */
  #current: PreparedStatement | undefined;
  #created = 0;

  /**
   * Ignores the parsers of the options, because PGlite copies its table of hundreds of types for each query that has some. Pass
   * them to the constructor.
   */
  override query<Row>(...[text, parameters, options]: Parameters<PGlite['query']>): Promise<Results<Row>> {
    const { parsers: _ignored, ...others } = options ?? {};
    return super.query<Row>(text, parameters, others);
  }

  override async execProtocolStream(...[message, options]: Parameters<Send>): Promise<Messages> {
    const send = (each: Uint8Array) => super.execProtocolStream(each, options);
    const type = String.fromCharCode(message[0]!);
    if (type === types.parse) return this.#parse(message, send);
    const current = this.#current;
    if (current && type === types.bind) return send(withName(message, 6, current.name));
    if (current && type === types.describe && String.fromCharCode(message[5]!) === 'S') {
      current.description ??= await send(withName(message, 6, current.name));
      return current.description;
    }
    return send(message);
  }

  async #parse(message: Uint8Array, send: (message: Uint8Array) => Promise<Messages>): Promise<Messages> {
    this.#current = undefined;
    const text = textOf(message);
    const prepared = this.#prepared.get(text);
    if (prepared) {
      moveToEnd(this.#prepared, text, prepared);
      this.#current = prepared;
      return [];
    }
    const runs = (this.#runs.get(text) ?? 0) + 1;
    moveToEnd(this.#runs, text, runs);
    removeFirst(this.#runs);
    if (runs < minRuns) return send(message);
    const added: PreparedStatement = { name: `s${++this.#created}`, description: undefined };
    const messages = await send(withName(message, 5, added.name));
    this.#runs.delete(text);
    this.#prepared.set(text, added);
    this.#current = added;
    const removed = removeFirst(this.#prepared);
    if (removed) await send(protocol.serialize.close({ type: 'S', name: removed.name }));
    return messages;
  }
}

const decoder = new TextDecoder();

const textOf = (message: Uint8Array): string => {
  return decoder.decode(message.subarray(firstTextByte, message.indexOf(0, firstTextByte)));
};

/** Returns the message with the name of a statement in place of the empty one at a position. */
const withName = (message: Uint8Array, at: number, name: string): Uint8Array => {
  const named = new Uint8Array(message.length + name.length);
  named.set(message.subarray(0, at));
  named.set(new TextEncoder().encode(name), at);
  named.set(message.subarray(at), at + name.length);
  new DataView(named.buffer).setUint32(1, named.length - 1);
  return named;
};

const moveToEnd = <Value>(map: Map<string, Value>, key: string, value: Value): void => {
  map.delete(key);
  map.set(key, value);
};

/** Removes the first entry of a map that is too large, and returns it. */
const removeFirst = <Value>(map: Map<string, Value>): Value | undefined => {
  const [first] = map.size > maxStatements ? map : [];
  if (first) map.delete(first[0]);
  return first?.[1];
};
