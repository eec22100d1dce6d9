/** The one error that `api/` throws: what happened to a call, and how far the call had come. */

/**
 * What is known of a call that failed:
 * - `refused`: the service said no, in the contract's error envelope. It did nothing.
 * - `unconfirmed`: no answer of the service was seen. It may have done the work.
 * - `accepted`: the service had begun to answer. Only the rest of the answer is missing.
 */
export type Stage = 'refused' | 'unconfirmed' | 'accepted';

/** Codes of our own, beside those of the contract's table of errors. */
export type OwnCode =
  /** The request failed before an answer was seen. */
  | 'network'
  /** Something other than the service answered: a proxy's page, a redirect, an empty body. */
  | 'unexpected_response'
  /** The answer ended before it was whole. */
  | 'interrupted'
  /** Nothing came for longer than the patience that was set. */
  | 'timeout'
  /** The answer is larger than anything the service would send. */
  | 'response_too_large';

export interface ApiErrorInit {
  /** HTTP status; 0 when there was none. */
  status?: number;
  requestId?: string;
  /** Seconds to wait before asking again; null when the service did not say. */
  retryAfter?: number | null;
  /** The service's sentence for people, in the language that was asked for. */
  detail?: string;
  cause?: unknown;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** A code of the contract's table, or an `OwnCode`. */
  readonly code: string;
  readonly stage: Stage;
  readonly status: number;
  readonly requestId: string;
  readonly retryAfter: number | null;
  readonly detail: string;

  constructor(code: OwnCode | (string & {}), stage: Stage, init: ApiErrorInit = {}) {
    super(`${code} (${stage}${init.status ? `, HTTP ${init.status}` : ''})`, { cause: init.cause });
    this.code = code;
    this.stage = stage;
    this.status = init.status ?? 0;
    this.requestId = init.requestId ?? '';
    this.retryAfter = init.retryAfter ?? null;
    this.detail = init.detail ?? '';
  }
}
