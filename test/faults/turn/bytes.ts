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
  wholeFault('lines ended by CR', 'Lines end with a carriage return only.', (call) =>
    call.startStream().write(wholeText.replaceAll('\n', '\r')).end(),
  ),
  wholeFault('lines ended by CRLF', 'Lines end with CR and LF, which arrive separately.', (call) =>
    call
      .startStream()
      .writePieces(wholeText.replaceAll('\n', '\r\n').split(/(?<=\r)/))
      .then(() => call.end()),
  ),
  wholeFault('a byte order mark', 'The stream starts with a byte order mark whose bytes arrive separately.', (call) =>
    call
      .startStream()
      .writePieces([Uint8Array.of(0xef), Uint8Array.of(0xbb), Uint8Array.of(0xbf), wholeText])
      .then(() => call.end()),
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
