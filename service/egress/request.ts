/** Sends a request to somebody else's server: public hosts only, whole within its time, never more than was asked for. */
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { reachable } from './address.ts';

export interface OutboundRequest {
  method: string;
  headers?: Record<string, string>;
  body?: string;
  /** For the whole exchange, redirects included. */
  timeoutMs: number;
  maxBytes: number;
  /** How many redirects are followed; each is checked like the first address. */
  redirects?: number;
  /** For development: this machine's own servers, over http too. */
  allowLoopback: boolean;
}

export interface Answered {
  status: number;
  text: string;
}

export type EgressFailure = 'timeout' | 'private_address' | 'unresolved' | 'too_large' | 'unreachable';

export class EgressError extends Error {
  readonly reason: EgressFailure;

  constructor(reason: EgressFailure, cause?: unknown) {
    super(reason, { cause });
    this.name = 'EgressError';
    this.reason = reason;
  }
}

export const ask = async (address: string, outgoing: OutboundRequest): Promise<Answered> => {
  const signal = AbortSignal.timeout(outgoing.timeoutMs);
  let url = new URL(address);
  for (let left = outgoing.redirects ?? 0; ; left--) {
    const { response, text } = await exchange(url, outgoing, signal);
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    const follows = left > 0 && status >= 300 && status < 400 && location !== undefined;
    if (!follows) return { status, text };
    if (!URL.canParse(location, url.href)) throw new EgressError('unreachable');
    url = new URL(location, url);
  }
};

const exchange = async (url: URL, outgoing: OutboundRequest, signal: AbortSignal) => {
  const where = await reachable(url, outgoing.allowLoopback);
  if (typeof where === 'string') throw new EgressError(where);
  if (signal.aborted) throw new EgressError('timeout');
  if (url.protocol !== 'https:' && !outgoing.allowLoopback) throw new EgressError('unreachable');
  const options: RequestOptions = {
    method: outgoing.method,
    headers: {
      ...outgoing.headers,
      ...(outgoing.body === undefined ? {} : { 'content-length': Buffer.byteLength(outgoing.body) }),
    },
    signal,
    agent: false,
    lookup: (_host, { all }, done) => {
      if (all) (done as unknown as (error: null, found: object[]) => void)(null, [where]);
      else done(null, where.address, where.family);
    },
  };
  return new Promise<{ response: IncomingMessage; text: string }>((resolve, reject) => {
    const fail = (error: unknown) => {
      if (error instanceof EgressError) reject(error);
      else reject(new EgressError(signal.aborted ? 'timeout' : 'unreachable', error));
    };
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(url, options, (response) => {
      read(response, outgoing.maxBytes).then(
        (text) => resolve({ response, text }),
        (error: unknown) => {
          request.destroy();
          fail(error);
        },
      );
    });
    request.on('error', fail);
    request.end(outgoing.body);
  });
};

const read = async (response: IncomingMessage, maxBytes: number): Promise<string> => {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > maxBytes) throw new EgressError('too_large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
};
