/** Reads the body of a `text/event-stream` answer, piece by piece, in bounded memory. */
import { ApiError } from './errors.ts';
import { EventParser, type ServerSentEvent } from './event-parser.ts';

/** Characters that one event may take before it is whole. The longest answer of the service is far below. */
const maxEvent = 2_000_000;
/** Bytes that a whole stream may take. */
const maxStream = 32_000_000;

/**
 * The events of `body`, in order, together those that came together. `onBytes` runs at each arrival, comments included.
 * Ends when the body ends; what that means is the caller's to say.
 * @throws {ApiError} `answer_too_large`; otherwise what the body's reader throws.
 */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void = () => {},
): AsyncGenerator<ServerSentEvent[], void, undefined> {
  const parser = new EventParser();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        // A last event may lack the empty line that ends it.
        yield parser.feed('\n');
        break;
      }
      onBytes();
      size += value.byteLength;
      yield parser.feed(decoder.decode(value, { stream: true }));
      if (parser.pending > maxEvent || size > maxStream) throw new ApiError('response_too_large', 'accepted');
    }
  } finally {
    // Frees the connection when the reader left early; a body that failed rejects, which is known already.
    reader.cancel().catch(() => {});
  }
}
