/** Breaks an event stream after a number of events. Comments, such as keep-alives, do not count. */

import type { UnderlyingSource } from 'node:stream/web';

type Bytes = ReadableStream<Uint8Array>;

/** Passes the first events on, then calls `cut` and ends. */
export const cutAfter = (body: Bytes, events: number, cut: () => void): Bytes => {
  return interrupt(body, events, async () => {
    // Lets the connection send the events before it is closed.
    await new Promise((resolve) => setImmediate(resolve));
    cut();
    return false;
  });
};

/** Passes the first events on, waits, and passes on the rest. */
export const stallAfter = (body: Bytes, events: number, wait: () => Promise<void>): Bytes => {
  return interrupt(body, events, async () => {
    await wait();
    return true;
  });
};

/** Calls `act` once, when the events have been passed on. It resolves to whether the stream continues. */
const interrupt = (body: Bytes, events: number, act: () => Promise<boolean>): Bytes => {
  const reader = body.getReader();
  let left = events;
  let isOver = false;
  const source: UnderlyingSource<Uint8Array> = {
    async pull(controller) {
      if (left <= 0 && !isOver) {
        isOver = true;
        if (!(await act())) {
          controller.close();
          await reader.cancel();
          return;
        }
      }
      const { done, value } = await reader.read();
      if (done) {
        controller.close();
        return;
      }
      left -= countEvents(value);
      controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  };
  // Nothing is read ahead, so that the events have been sent when the next one is read.
  return new ReadableStream(source, { highWaterMark: 0 });
};

/** The service writes each event in one piece. */
const countEvents = (bytes: Uint8Array): number => {
  return new TextDecoder()
    .decode(bytes)
    .split('\n\n')
    .filter((block) => /^event:/m.test(block)).length;
};
