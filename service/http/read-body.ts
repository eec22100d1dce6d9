/** Reads a JSON body up to a limit. Counts the bytes of the stream, because Content-Length may be missing or wrong. */
import { finished } from 'node:stream/promises';
import type { CallContext } from './environment.ts';
import { withoutNulls } from '../core/absent-members.ts';
import { ApiError, invalid } from '../core/errors.ts';
import { hasPrototypeMember, isDeeperThan, maxJsonDepth } from '../core/json-shape.ts';
import { mayBeUnstorable, storable } from '../core/storable.ts';
import { within } from '../core/waiting.ts';

interface BodyOptions {
  /** The schema of a body in which a null means nothing. */
  schema?: unknown;
  /** The text that an empty body stands for. By default, an empty body is an error. */
  whenEmpty?: string;
}

export const readBody = async (
  context: CallContext,
  limit: number,
  { schema, whenEmpty = '' }: BodyOptions = {},
): Promise<void> => {
  if (Number(context.req.header('content-length') ?? 0) > limit) throw new ApiError('body_too_large');
  const encoding = context.req.header('content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') throw new ApiError('unsupported_media_type');
  const sent = await readText(context.req.raw.body, limit);
  let text = sent || whenEmpty;
  const needsType = sent !== '' || whenEmpty === '';
  if (needsType && !/^application\/([\w.-]+\+)?json\s*(?:;|$)/i.test(context.req.header('content-type') ?? '')) {
    throw new ApiError('unsupported_media_type');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ApiError('malformed_json');
  }
  if (isDeeperThan(maxJsonDepth, value)) throw invalid('', 'too_deep', `At most ${maxJsonDepth} levels of nesting.`);
  if (hasPrototypeMember(value)) throw invalid('__proto__', 'reserved_name', 'No object may have this member.');
  if (mayBeUnstorable(text)) text = JSON.stringify(storable(value));
  if (schema && text.includes('null')) text = JSON.stringify(withoutNulls(schema, JSON.parse(text)));
  context.set('bodyText', text);
  // The stream cannot be read twice, so the text is put where Hono's validator looks first.
  Object.assign(context.req.bodyCache, { text: Promise.resolve(text) });
};

/** Rejects bytes that are not UTF-8, which would be stored as replacement characters. JSON allows no byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes of a body that is too large that are read and ignored, so that the caller can read the response. */
const maxIgnoredBytes = 64 * 1024 * 1024;
const maxIgnoredMs = 30_000;

const readText = async (body: ReadableStream<Uint8Array> | null, limit: number): Promise<string> => {
  if (!body) return '';
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      length += chunk.byteLength;
      if (length > limit + maxIgnoredBytes) break;
      if (length <= limit) chunks.push(chunk);
    }
  } catch {
    // The caller has disconnected.
    throw new ApiError('malformed_request');
  }
  if (length > limit) throw new ApiError('body_too_large');
  try {
    return utf8.decode(Buffer.concat(chunks));
  } catch {
    throw new ApiError('malformed_json');
  }
};

/**
 * Reads the rest of a request that was rejected before its body was read. A server that responds and closes while the
 * caller still sends resets the connection, and the response is lost.
 */
export const ignoreBody = async (context: CallContext): Promise<void> => {
  const incoming = context.env?.incoming;
  if (!incoming || incoming.readableEnded || incoming.destroyed || context.req.raw.bodyUsed) return;
  const ended = new AbortController();
  let length = 0;
  incoming.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > maxIgnoredBytes) ended.abort();
  });
  const signal = within(maxIgnoredMs, ended.signal);
  const end = finished(incoming, { signal, cleanup: true }).then(
    () => true,
    () => false,
  );
  incoming.resume();
  if (!(await end)) context.header('Connection', 'close');
};
