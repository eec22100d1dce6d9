/** Sends the HTTP request of an action to the owner's host and reads the response as JSON data. */
import type { JsonObject } from '../../contract/wire.ts';
import type { Encryption } from '../core/encryption.ts';
import { isDeeperThan, maxJsonDepth } from '../core/json-shape.ts';
import { storable } from '../core/storable.ts';
import { EgressError, sendRequest } from '../egress/request.ts';
import type { StoredAction } from '../db/records.ts';

export type HttpOutcome =
  | { ok: true; result: JsonObject; latencyMs: number }
  | { ok: false; reason: string; detail: JsonObject; latencyMs: number; isSent?: boolean };

const defaultTimeoutMs = 8000;
export const maxTimeoutMs = 30_000;
const defaultBytes = 64 * 1024;
const maxBytes = 1024 * 1024;

export const callHttp = async (
  action: StoredAction,
  args: JsonObject,
  visitor: JsonObject,
  { encryption, allowLoopback }: { encryption: Encryption; allowLoopback: boolean },
): Promise<HttpOutcome> => {
  const startedAt = performance.now();
  const latencyMs = () => Math.round(performance.now() - startedAt);
  const failed = (reason: string, detail: JsonObject = {}, isSent = false) =>
    ({ ok: false, reason, detail, latencyMs: latencyMs(), ...(isSent ? { isSent } : {}) }) as const;
  const address = expandTemplate(action.urlTemplate, args);
  if (typeof address !== 'string') return failed('invalid_input', { inputs: address.unsuitable });
  const hasBody = action.method !== 'GET' && action.method !== 'DELETE';
  const stored = action.encryptedHeaders === null ? '{}' : encryption.decrypt(action.encryptedHeaders);
  if (stored === undefined) return failed('internal_error');
  const headers = JSON.parse(stored) as Record<string, string>;
  try {
    const { status, text } = await sendRequest(address, {
      method: action.method,
      headers: { accept: 'application/json', ...(hasBody ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(hasBody ? { body: JSON.stringify({ ...args, ...visitor }) } : {}),
      timeoutMs: bounded(action.config['timeout_ms'], defaultTimeoutMs, maxTimeoutMs),
      maxBytes: bounded(action.config['max_bytes'], defaultBytes, maxBytes),
      allowLoopback,
    });
    if (status < 200 || status >= 300) return failed('http_status', { status });
    const read = readJson(text);
    return read === undefined
      ? failed('bad_json')
      : { ok: true, result: pickOutput(read, action.outputPick), latencyMs: latencyMs() };
  } catch (error) {
    if (error instanceof EgressError) return failed(error.reason, {}, error.isSent);
    throw error;
  }
};

const input = /\{(\w+)\}/g;

const inputsOf = (template: string): string[] => [...template.matchAll(input)].map(([, name]) => name!);

/**
 * Replaces `{order_number}` with the encoded value of the input, so that a value cannot change the rest of the URL. Returns
 * the inputs that a URL cannot contain: objects, and values like `..`, which no encoding keeps a URL parser from removing
 * together with other segments.
 */
const expandTemplate = (template: string, args: JsonObject): string | { unsuitable: string[] } => {
  const names = inputsOf(template);
  const unsuitable = names.filter((name) => encodedInput(args[name]) === undefined);
  if (unsuitable.length > 0) return { unsuitable };
  const address = template.replace(input, (_, name: string) => encodedInput(args[name])!);
  return dotSegments(address) > dotSegments(template) ? { unsuitable: names } : address;
};

/** Separates the values of a list by commas. Returns an empty text for a missing value, and undefined for an object. */
const encodedInput = (value: unknown): string | undefined => {
  const values: unknown[] = Array.isArray(value) ? value : [value ?? ''];
  if (!values.every((each) => ['string', 'number', 'boolean'].includes(typeof each))) return undefined;
  // Half of an emoji cannot be encoded.
  return values.map((each) => encodeURIComponent(String(storable(each)))).join(',');
};

const dotSegments = (address: string): number => address.match(/[/\\](\.|%2e){1,2}(?=[/\\?#]|$)/gi)?.length ?? 0;

const bounded = (value: unknown, fallback: number, max: number): number => {
  return typeof value === 'number' && value > 0 ? Math.min(value, max) : fallback;
};

/** Returns undefined for an unreadable body. An empty body is an empty object, and `result` contains any other value. */
const readJson = (text: string): JsonObject | undefined => {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isDeeperThan(maxJsonDepth, value)) return undefined;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as JsonObject) : { result: value };
  } catch {
    return undefined;
  }
};

/** Picks the values at the given paths: `customer.city` becomes `city`. Without paths, returns the whole result. */
const pickOutput = (result: JsonObject, paths: string[]): JsonObject => {
  if (paths.length === 0) return result;
  return Object.fromEntries(
    paths.flatMap((path) => {
      const value = path
        .split('.')
        .reduce<unknown>((within, name) => (within as JsonObject | undefined)?.[name], result);
      return value === undefined ? [] : [[path.split('.').at(-1)!, value] as const];
    }),
  );
};
