/** Reads the body of a `text/event-stream` response, chunk by chunk, in bounded memory. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { ApiError } from './errors.ts';

export interface ServerSentEvent {
  /** `message` when the stream names none. */
  name: string;
  data: string;
  /** The id for `Last-Event-ID`, or undefined when the event has none. */
  id: string | undefined;
}

/** Characters of one event. The longest event of the service is far shorter. */
const maxEventLength = 2_000_000;
/** Bytes of a whole stream. */
const maxStreamBytes = 32_000_000;

const toEvent = ({ event, data, id }: EventSourceMessage): ServerSentEvent => ({ name: event || 'message', data, id });

/**
 * Yields the events of a body, in one array for each chunk of the network, also for one that holds only comments. Ends when the
 * body ends: only the caller knows whether that was too early.
 * @throws {ApiError} `response_too_large`. Otherwise rejects with the error of the body's reader.
 */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent[], void, undefined> {
  let events: ServerSentEvent[] = [];
  let isTooLarge = false;
  const parser = createParser({
    maxBufferSize: maxEventLength,
    onEvent: (event) => events.push(toEvent(event)),
    onError: ({ type }) => {
      isTooLarge ||= type === 'max-buffer-size-exceeded';
    },
  });
  const parse = (text: string): ServerSentEvent[] => {
    events = [];
    parser.feed(text);
    return events;
  };
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        // Completes an event whose final empty line is missing, or ends in a CR that the parser holds back.
        const rest = parse('\n');
        if (rest.length > 0) yield rest;
        break;
      }
      size += value.byteLength;
      yield parse(decoder.decode(value, { stream: true }));
      if (isTooLarge || size > maxStreamBytes) throw new ApiError('response_too_large', 'accepted');
    }
  } finally {
    // Frees the connection when the caller stops early. The rejection of a failed body is already known.
    reader.cancel().catch(() => {});
  }
}
