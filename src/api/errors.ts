/** The error that `api/` throws. It tells what happened to a call, and how far the call got. */

/**
 * How far a failed call got:
 * - `refused`: the service rejected it with the contract's error envelope, and did nothing.
 * - `unconfirmed`: no response of the service arrived. The service may have processed the call.
 * - `accepted`: the response had started. Only its rest is missing.
 */
export type Stage = 'refused' | 'unconfirmed' | 'accepted';

/** The widget's own error codes, beside those in the contract's table. */
export type OwnCode =
  /** The request failed before a response arrived. */
  | 'network'
  /** The response is not from the service: a proxy's page, a redirect, an empty body. */
  | 'unexpected_response'
  /** The response ended before it was complete. */
  | 'interrupted'
  /** No data arrived within the timeout. */
  | 'timeout'
  /** The response is larger than any response of the service. */
  | 'response_too_large';

export interface ApiErrorInit {
  /** The HTTP status, or 0 when there was no response. */
  status?: number;
  requestId?: string;
  /** The `Retry-After` header, or null. See `parseRetryAfter`. */
  retryAfter?: string | null;
  /** The service's error message, in the requested language. */
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
  readonly retryAfter: string | null;
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
