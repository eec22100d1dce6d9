import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { MemoryStorage } from '../../../src/chat/storage/storage.ts';
import { createWorld, openTab } from '../../support/fakes/conversation.ts';
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

const half: FakeResponse = () =>
  new Response(eventText('delta', { text: 'Half' }), { headers: { 'content-type': 'text/event-stream' } });

const responses: Record<string, FakeResponse> = {
  whole: (call) => streamed(call.body.conversation_id ? response() : started(), 'Hello ', 'there')(call),
  plain: (call) => json(call.body.conversation_id ? response() : started())(call),
  half,
  unreachable,
  expired: refusal(410, 'conversation_expired'),
  limited: refusal(429, 'rate_limited', { 'retry-after': '1' }),
  refused: refusal(422, 'validation_error'),
  broken: () => new Response('<h1>', { headers: { 'content-type': 'text/html' } }),
};

/** A storage that keeps a copy of itself after every write. */
class RecordingStorage extends MemoryStorage {
  readonly onWritten: (value: unknown) => void;

  constructor(onWritten: (value: unknown) => void) {
    super();
    this.onWritten = onWritten;
  }

  override async update(key: string, change: (value: unknown) => unknown): Promise<void> {
    await super.update(key, change);
    this.onWritten(structuredClone(await this.load(key)));
  }
}

/** Returns what a new page shows of a stored record. */
const reload = async (value: unknown, now: ReturnType<typeof createWorld>['clock']) => {
  const storage = new MemoryStorage();
  await storage.update('key', () => value);
  const { conversation, store } = openTab({ ...createWorld(), storage, clock: now });
  await conversation.start();
  return store.state.messages.flatMap((message) => (message.role === 'user' ? [message.text] : []));
};

describe('A crash at any step of a conversation', () => {
  it('loses no message that was sent or stored, and shows none twice', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...Object.keys(responses)), { minLength: 1, maxLength: 5 }),
        fc.constantFrom('auto' as const, 'off' as const),
        async (names, streaming) => {
          let stored: unknown;
          /** The record at the time of the crash, and the messages that had been sent by then. */
          const crashes: { stored: unknown; left: string[] }[] = [];
          const left = new Set<string>();
          const note = () => crashes.push({ stored, left: [...left] });
          const storage = new RecordingStorage((value) => {
            stored = value;
            note();
          });
          const world = { ...createWorld(), storage };
          const script = names.map((name): FakeResponse => (call) => {
            left.add(call.body.messages.at(-1)!.content);
            note();
            return responses[name]!(call);
          });
          const rest: FakeResponse = (call) => {
            left.add(call.body.messages.at(-1)!.content);
            return responses['plain']!(call);
          };
          const tab = openTab(world, [...script, ...Array.from({ length: 40 }, () => rest)], {
            streaming: () => streaming,
          });
          await tab.conversation.start();
          tab.store.subscribe(note);
          for (const text of ['One', 'Two', 'Three']) {
            const sent = tab.conversation.send(text);
            await world.clock.advance(700_000);
            await sent;
          }
          const restarts = new Set(
            crashes.filter((crash) => JSON.stringify(crash.stored ?? '').includes('"restarted"')),
          );
          for (const crash of crashes) {
            const shown = await reload(crash.stored, world.clock);
            assert.equal(new Set(shown).size, shown.length, `shown twice: ${shown.join()}`);
            // A restarted conversation starts without the messages of the previous one.
            const due = restarts.has(crash) ? crash.left.slice(-1) : crash.left;
            for (const text of due) assert.ok(shown.includes(text), `lost: ${text}`);
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
