/** Reads the body of a `text/event-stream` answer, piece by piece, in bounded memory. */
import { createParser } from 'eventsource-parser';
import { ApiError } from './errors.ts';

export interface ServerSentEvent {
  /** `message` when the stream names none. */
  name: string;
  data: string;
  /** The last id the stream gave, for `Last-Event-ID`. */
  id: string | undefined;
}

/** Characters that one event may take before it is whole. The longest answer of the service is far below. */
const MAX_EVENT = 2_000_000;
/** Bytes that a whole stream may take. */
const MAX_STREAM = 32_000_000;

/**
 * The events of `body`, in order. `onBytes` runs at each arrival, comments included.
 * Ends when the body ends; what that means is the caller's to say.
 * @throws {ApiError} `answer_too_large`; otherwise what the body's reader throws.
 */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void = () => {},
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const events: ServerSentEvent[] = [];
  let isTooLarge = false;
  const parser = createParser({
    maxBufferSize: MAX_EVENT,
    onEvent: ({ event, data, id }) => events.push({ name: event || 'message', data, id }),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') isTooLarge = true;
    },
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        // A last line that ends with CR waits for the LF that may follow it.
        parser.feed('\n');
        yield* events.splice(0);
        break;
      }
      onBytes();
      size += value.byteLength;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* events.splice(0);
      if (isTooLarge || size > MAX_STREAM) throw new ApiError('answer_too_large', 'accepted');
    }
  } finally {
    // Frees the connection when the reader left early; a body that failed rejects, which is known already.
    reader.cancel().catch(() => {});
  }
}
