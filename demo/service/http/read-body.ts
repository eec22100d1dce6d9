/** Reads a JSON body up to a limit, counted on the stream: a Content-Length may be absent or untrue. */
import type { Context } from 'hono';
import type { Environment } from './environment.ts';
import { ApiError, invalid } from './errors.ts';

export const bodyLimit = 1024 * 1024;

export async function readBody(context: Context<Environment>, limit: number): Promise<void> {
  if (Number(context.req.header('content-length') ?? 0) > limit) throw new ApiError('body_too_large');
  const text = await readText(context.req.raw.body, limit);
  if (!/^application\/([\w.-]+\+)?json\b/i.test(context.req.header('content-type') ?? '')) {
    throw invalid('Content-Type', 'not_json', 'Send the body as application/json.');
  }
  try {
    JSON.parse(text);
  } catch {
    throw invalid('', 'malformed_json', 'The body is not valid JSON.');
  }
  context.set('bodyText', text);
  // Where Hono's validator looks before it would read the request, which has been read by now.
  Object.assign(context.req.bodyCache, { text: Promise.resolve(text) });
}

async function readText(body: ReadableStream<Uint8Array> | null, limit: number): Promise<string> {
  if (!body) return '';
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
    length += piece.byteLength;
    if (length > limit) throw new ApiError('body_too_large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
