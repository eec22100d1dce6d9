/** Reads a JSON body up to a limit. Counts the bytes of the stream, because Content-Length may be missing or wrong. */
import type { Context } from 'hono';
import type { Environment } from './environment.ts';
import { ApiError, invalid } from '../core/errors.ts';

export const readBody = async (context: Context<Environment>, limit: number): Promise<void> => {
  if (Number(context.req.header('content-length') ?? 0) > limit) throw new ApiError('body_too_large');
  let text = await readText(context.req.raw.body, limit);
  if (!/^application\/([\w.-]+\+)?json\b/i.test(context.req.header('content-type') ?? '')) {
    throw invalid('Content-Type', 'not_json', 'Send the body as application/json.');
  }
  try {
    const value: unknown = JSON.parse(text);
    if (/\\u(0000|d[89a-f])/i.test(text)) text = JSON.stringify(storable(value));
  } catch {
    throw invalid('', 'malformed_json', 'The body is not valid JSON.');
  }
  context.set('bodyText', text);
  // The stream cannot be read twice, so the text is put where Hono's validator looks first.
  Object.assign(context.req.bodyCache, { text: Promise.resolve(text) });
};

/** Removes NUL characters and lone surrogates, which PostgreSQL cannot store. */
const storable = (value: unknown): unknown => {
  if (typeof value === 'string') return Buffer.from(value.replaceAll('\0', ''), 'utf8').toString('utf8');
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [storable(key), storable(each)]));
};

const readText = async (body: ReadableStream<Uint8Array> | null, limit: number): Promise<string> => {
  if (!body) return '';
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    if (length > limit) throw new ApiError('body_too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};
