/** Ways in which a bad network changes a response of the local service. */
import type { Spoil } from './real-service.ts';

/** Resets the connection once the service has sent everything. */
export const lost: Spoil = async (call, { body }) => {
  for await (const bytes of body) void bytes;
  call.reset();
};

/** Ends the connection after the first delta. */
export const cutShort: Spoil = async (call, { head, body }) => {
  head();
  for await (const bytes of body) {
    call.write(bytes);
    if (Buffer.from(bytes).includes('event: delta')) break;
  }
  call.end();
};

/** Sends everything at the end, as a buffering proxy does. */
export const buffered: Spoil = async (call, { head, body }) => {
  const all: Uint8Array[] = [];
  for await (const bytes of body) all.push(bytes);
  head();
  call.write(Buffer.concat(all)).end();
};

/** Sends seven bytes at a time, which splits lines, words and characters. */
export const inPieces: Spoil = async (call, { head, body }) => {
  head();
  for await (const bytes of body) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) =>
      bytes.slice(index * 7, index * 7 + 7),
    );
    await call.writePieces(pieces);
  }
  call.end();
};
