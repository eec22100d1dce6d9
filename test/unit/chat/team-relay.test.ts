import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { followTeamRelay } from '../../../src/chat/team-relay.ts';
import type { Visibility } from '../../../src/chat/visibility.ts';
import { createWorld, openTab, transcript } from '../../support/fakes/conversation.ts';
import { settle } from '../../support/fakes/fake-clock.ts';
import { eventText, started, streamed } from '../../support/fakes/fake-service.ts';

/** A page whose visibility the test controls. */
const hideablePage = () => {
  let isHidden = false;
  const onHide = new Set<() => void>();
  const onShow = new Set<() => void>();
  const visibility: Visibility = {
    whenVisible: () => (isHidden ? new Promise((resolve) => onShow.add(resolve)) : Promise.resolve()),
    onHidden: (listener) => {
      onHide.add(listener);
      return () => onHide.delete(listener);
    },
    close: () => {},
  };
  return {
    visibility,
    hide() {
      isHidden = true;
      for (const listener of onHide) listener();
    },
    show() {
      isHidden = false;
      for (const listener of onShow) listener();
    },
  };
};

/** A relay whose connections stay open until the test or the widget closes them. */
const openRelay = () => {
  const connections: {
    headers: Headers;
    signal: AbortSignal;
    write(text: string): void;
    cut(): void;
  }[] = [];
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    const { signal } = init!;
    let controller!: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
    signal!.addEventListener('abort', () => controller.error(signal!.reason));
    connections.push({
      headers: new Headers(init!.headers),
      signal: signal!,
      write: (text) => controller.enqueue(new TextEncoder().encode(text)),
      cut: () => controller.error(new TypeError('cut')),
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  return { connections, fetch };
};

const reply = (id: string, content: string) =>
  `id: ${id}\n${eventText('message', { id: `msg_${id}`, role: 'assistant', actor_type: 'owner', content, conversation_id: 'cnv_1' })}`;

const follow = async (random = () => 0.5) => {
  const world = createWorld();
  const { conversation } = openTab(world, [streamed(started())]);
  await conversation.start();
  await conversation.send('Hi');
  const relay = openRelay();
  const page = hideablePage();
  const stop = followTeamRelay({
    url: 'https://site.example/relay',
    conversation,
    fetch: relay.fetch,
    clock: world.clock,
    random,
    visibility: page.visibility,
  });
  // crypto.subtle computes the proof on another thread.
  while (relay.connections.length === 0) await settle();
  return { ...relay, ...page, clock: world.clock, conversation, stop };
};

describe('The relay of team replies', () => {
  it('pauses while the page is hidden, and requests what was missed when it is visible again', async () => {
    const { connections, hide, show, clock, conversation, stop } = await follow();
    connections[0]!.write(reply('7', 'One'));
    await settle();
    hide();
    await settle();
    assert.ok(connections[0]!.signal.aborted, 'the connection is hung up');
    await clock.advance(600_000);
    assert.equal(connections.length, 1, 'nothing is asked while nobody looks');
    show();
    await settle();
    assert.equal(connections.length, 2);
    assert.equal(connections[1]!.headers.get('last-event-id'), '7');
    connections[1]!.write(reply('8', 'Two'));
    await settle();
    assert.deepEqual(transcript(conversation).slice(2), ['notice: joined', 'owner whole: One', 'owner whole: Two']);
    stop();
  });

  it('is connected again when a connection delivers nothing for too long', async () => {
    const { connections, clock, stop } = await follow();
    connections[0]!.write(reply('7', 'One'));
    await clock.advance(80_000);
    connections[0]!.write(': still here\n\n');
    await clock.advance(80_000);
    assert.equal(connections.length, 1, 'a keep-alive is a sign of life');
    await clock.advance(12_000);
    assert.ok(connections[0]!.signal.aborted);
    await clock.advance(2_000);
    assert.equal(connections.length, 2);
    assert.equal(connections[1]!.headers.get('last-event-id'), '7');
    stop();
    assert.ok(connections[1]!.signal.aborted);
  });

  it('waits longer after each failure, with full jitter', async () => {
    for (const random of [0, 0.999]) {
      const { connections, clock, stop } = await follow(() => random);
      const waits: number[] = [];
      for (let count = 1; count <= 8; count++) {
        connections.at(-1)!.cut();
        await settle();
        const from = clock.now();
        while (connections.length === count) await clock.advance(100);
        waits.push(clock.now() - from);
      }
      const expected =
        random === 0 ? waits.map(() => 500) : [1_500, 2_500, 4_500, 8_500, 16_500, 30_500, 30_500, 30_500];
      assert.deepEqual(waits, expected);
      stop();
    }
  });

  it('is connected again at once after a proxy has cut a connection on which the team was silent', async () => {
    const { connections, clock, stop } = await follow(() => 0.999);
    for (let count = 1; count <= 8; count++) {
      await clock.advance(20_000);
      connections.at(-1)!.write(': still here\n\n');
      await clock.advance(10_000);
      connections.at(-1)!.cut();
      await settle();
      await clock.advance(1_500);
      assert.equal(connections.length, count + 1);
    }
    stop();
  });

  it('is not connected again in a loop when each connection is cut after its first bytes', async () => {
    const { connections, clock, stop } = await follow();
    const end = clock.now() + 600_000;
    for (let count = 0; clock.now() < end; await clock.advance(100)) {
      if (connections.length === count) continue;
      count = connections.length;
      connections.at(-1)!.write(': connected\n\n');
      await settle();
      connections.at(-1)!.cut();
      await settle();
    }
    assert.ok(connections.length < 50, `${connections.length} connections in ten minutes`);
    stop();
  });
});
