/** Faults of the bytes in a stream: long lines, other line endings, chunks that split characters. */
import { started } from '../../support/fakes/fake-service.ts';
import type { Fault } from '../../support/pages/fault.ts';
import { turnFault, confirmed, storedInterrupted, wholeFault, done, say, wholeText, unlinked } from './turn-fault.ts';

const arabic = 'أهلًا 👋🏽 “naïve” 日本';

export const byteFaults: Fault[] = [
  turnFault({
    name: 'a line of 10 MB',
    cause: 'One event is larger than the limit.',
    outcome: 'A sentence says that the reply was too large. The text before it stays, with “Ask again”.',
    respond: async (call) => {
      call.startStream().delta('Half').write('event: delta\ndata: {"text":"');
      await call.writePieces(Array.from({ length: 160 }, () => 'x'.repeat(65_536)));
      call.end();
    },
    shows: [confirmed, 'assistant: Half — The reply was too large to show. [Ask again]', unlinked],
    keeps: storedInterrupted('Half'),
  }),
  wholeFault(
    'byte by byte',
    'Every byte arrives separately, so that each multi-byte character is split.',
    (call) => {
      const text = `event: delta\ndata: {"text":${JSON.stringify(arabic)}}\n\n${done(say(arabic))}`;
      call.startStream();
      return call.writePieces(Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte))).then(() => call.end());
    },
    arabic,
  ),
  wholeFault('everything at once', 'A proxy buffers the stream until it is complete.', (call) =>
    call.respond(200, 'text/event-stream', wholeText),
  ),
  wholeFault(
    'a JSON response to a streamed call',
    'The service or a proxy responds with JSON instead of a stream.',
    (call) => call.respond(200, 'application/json; charset=utf-8', JSON.stringify(started())),
  ),
];
