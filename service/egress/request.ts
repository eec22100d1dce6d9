/** Sends a request to another server: to public hosts only, with a timeout and a size limit. */
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { TcpNetConnectOpts } from 'node:net';
import { promisify } from 'node:util';
import { brotliDecompress, unzip } from 'node:zlib';
import { resolveHost } from './address.ts';
import { urlProblem } from './url-rules.ts';
import { within } from '../core/waiting.ts';

export interface OutboundRequest {
  method: string;
  /** They replace the default `User-Agent`. */
  headers?: Record<string, string>;
  body?: string;
  /** Milliseconds for the whole exchange, including redirects. */
  timeoutMs: number;
  /** Ends the exchange with its reason. */
  signal?: AbortSignal;
  /** Bytes of the response body, also after its decompression. */
  maxBytes: number;
  /** Ends the connection at `maxBytes` and returns the body so far. By default, a longer body is an error. */
  truncates?: boolean;
  /** The number of redirects to follow, 0 by default. Each is checked like the first URL. */
  maxRedirects?: number;
  /** For development: allows servers of this machine, also over http. */
  allowLoopback: boolean;
}

export interface OutboundResponse {
  /** The URL that responded, after the redirects, without its fragment. */
  url: string;
  status: number;
  /** The body as UTF-8, without a byte order mark. */
  text: string;
  bytes: Buffer;
  /** The header `Content-Type`, or an empty string. */
  contentType: string;
}

export type EgressFailure = 'timeout' | 'private_address' | 'unresolved' | 'too_large' | 'unreachable';

export class EgressError extends Error {
  readonly reason: EgressFailure;
  /** Whether the connection ended after the request was sent. */
  readonly isSent: boolean;

  constructor(reason: EgressFailure, cause?: unknown, isSent = false) {
    super(reason, { cause });
    this.name = 'EgressError';
    this.reason = reason;
    this.isSent = isSent;
  }
}

/** Milliseconds for one of several addresses, except the last. The 250 of Node.js are too few for a distant host. */
const connectTimeoutMs = 1000;

export const sendRequest = async (address: string, request: OutboundRequest): Promise<OutboundResponse> => {
  const { signal, timeoutMs } = request;
  if (!signal) return follow(address, request, AbortSignal.timeout(timeoutMs));
  try {
    return await follow(address, request, within(timeoutMs, signal));
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
};

/** Sends the request, and follows its redirects. */
const follow = async (address: string, request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse> => {
  let url = new URL(address);
  for (let redirectsLeft = request.maxRedirects ?? 0; ; redirectsLeft--) {
    const { response, bytes: received } = await exchange(url, request, signal);
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    const isFollowed = redirectsLeft > 0 && status >= 300 && status < 400 && location !== undefined;
    if (!isFollowed) {
      const bytes = await decompress(received, response.headers['content-encoding'], request);
      url.hash = '';
      const contentType = response.headers['content-type'] ?? '';
      return { url: url.href, status, text: new TextDecoder().decode(bytes), bytes, contentType };
    }
    if (!URL.canParse(location, url.href)) throw new EgressError('unreachable');
    url = new URL(location, url);
  }
};

const exchange = async (url: URL, outbound: OutboundRequest, signal: AbortSignal) => {
  if (urlProblem(url, outbound.allowLoopback)) throw new EgressError('unreachable');
  const addresses = await resolveHost(url, outbound.allowLoopback, signal);
  if (typeof addresses === 'string') throw new EgressError(addresses);
  const options: RequestOptions & Pick<TcpNetConnectOpts, 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'> = {
    method: outbound.method,
    headers: {
      // Many hosts reject a request without it.
      'user-agent': 'workspace-assistant',
      'accept-encoding': 'identity',
      ...outbound.headers,
      ...(outbound.body === undefined ? {} : { 'content-length': Buffer.byteLength(outbound.body) }),
    },
    signal,
    agent: false,
    // Tries each address, because one that does not respond must not make the host unreachable.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: connectTimeoutMs,
    lookup: (_host, _options, done) => done(null, addresses),
  };
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const request = send(url, options);
  let end = () => {};
  let isSent = false;
  try {
    return await new Promise<{ response: IncomingMessage; bytes: Buffer }>((resolve, reject) => {
      request.on('finish', () => {
        isSent = true;
      });
      request.on('response', (response) => {
        readBytes(response, outbound).then((bytes) => resolve({ response, bytes }), reject);
      });
      // Without a listener, Node.js drops the connection of a host that changes the protocol, and emits nothing.
      request.on('upgrade', (_, socket) => {
        socket.destroy();
        reject(new Error('The host changes the protocol.'));
      });
      request.on('error', reject);
      // The exchange ends with its signal, whatever the connection does.
      end = () => reject(signal.reason as Error);
      signal.addEventListener('abort', end);
      request.end(outbound.body);
    });
  } catch (error) {
    if (error instanceof EgressError) throw error;
    throw new EgressError(signal.aborted ? 'timeout' : 'unreachable', error, isSent);
  } finally {
    signal.removeEventListener('abort', end);
    request.destroy();
  }
};

const readBytes = async (response: IncomingMessage, { maxBytes, truncates = false }: OutboundRequest) => {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > maxBytes && !truncates) throw new EgressError('too_large');
    pieces.push(piece);
    if (length > maxBytes) break;
  }
  return Buffer.concat(pieces).subarray(0, maxBytes);
};

const decompressors = new Map([
  ['gzip', promisify(unzip)],
  ['x-gzip', promisify(unzip)],
  ['deflate', promisify(unzip)],
  ['br', promisify(brotliDecompress)],
]);

/** Some hosts compress the body although the request does not accept it. Returns bytes that are not compressed as they are. */
const decompress = async (
  bytes: Buffer,
  encoding: string | undefined,
  { maxBytes, truncates = false }: OutboundRequest,
): Promise<Buffer> => {
  const run = decompressors.get(encoding?.trim().toLowerCase() ?? '');
  if (!run) return bytes;
  try {
    return await run(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    if (isTooLarge && !truncates) throw new EgressError('too_large', error);
    return bytes;
  }
};
