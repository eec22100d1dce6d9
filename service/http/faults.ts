/** For development: faults that the next calls of the API meet, as a bad network, a proxy or the service causes them. */
import type { Context, MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { ApiError, type ErrorName } from '../core/errors.ts';
import { pause } from '../core/waiting.ts';
import { basePath } from '../core/version.ts';
import { cutAfter, stallAfter } from './broken-stream.ts';
import type { Environment } from './environment.ts';

/** Which calls meet the fault, and how many. */
interface Match {
  method?: string | undefined;
  /** A part of the path. */
  path?: string | undefined;
  times: number;
}

export type Fault = Match &
  (
    | { kind: 'fail'; code: ErrorName; retry_after?: number | undefined }
    | { kind: 'fail'; status: number }
    /** `after_events`: a streamed response stops after this number of events. */
    | { kind: 'stall'; seconds: number; after_events?: number | undefined }
    | { kind: 'cut'; is_processed: boolean; after_events?: number | undefined }
  );

export interface Faults {
  list(): Fault[];
  add(faults: Fault[]): void;
  clear(): void;
}

/** The faults of this process. Those that were added first are used first. */
export const createFaults = (closing: AbortSignal): { faults: Faults; breakCalls: MiddlewareHandler<Environment> } => {
  let queue: Fault[] = [];

  const find = ({ req }: Context<Environment>): Fault | undefined =>
    queue.find(({ method, path }) => {
      return (method === undefined || method === req.method) && (path === undefined || req.path.includes(path));
    });
  const use = (fault: Fault): void => {
    fault.times--;
    if (fault.times <= 0) queue = queue.filter((each) => each !== fault);
  };

  return {
    faults: {
      list: () => queue,
      add: (added) => void queue.push(...added.map((fault) => ({ ...fault }))),
      clear: () => void (queue = []),
    },
    breakCalls: async (context, next) => {
      const isPreflight = context.req.method === 'OPTIONS';
      const fault = isPreflight || !context.req.path.startsWith(`${basePath}/`) ? undefined : find(context);
      if (!fault) return next();
      if (fault.kind === 'fail' || fault.after_events === undefined) use(fault);
      return meet(context, fault, next, { closing, use });
    },
  };
};

const meet = async (
  context: Context<Environment>,
  fault: Fault,
  next: () => Promise<void>,
  { closing, use }: { closing: AbortSignal; use(fault: Fault): void },
): Promise<Response | void> => {
  if (fault.kind === 'fail') return fail(context, fault);
  if (fault.kind === 'cut' && !fault.is_processed) return cut(context);
  await next();
  if (fault.after_events === undefined) {
    if (fault.kind === 'cut') return cut(context);
    return pause(fault.seconds * 1000, closing);
  }
  const { body, headers } = context.res;
  if (!body || !headers.get('content-type')?.startsWith('text/event-stream')) return;
  use(fault);
  const broken =
    fault.kind === 'cut'
      ? cutAfter(body, fault.after_events, () => closeConnection(context))
      : stallAfter(body, fault.after_events, () => pause(fault.seconds * 1000, closing));
  context.res = new Response(broken, context.res);
};

/** An error of the service, or the page of a proxy, which has no error envelope. */
const fail = (context: Context<Environment>, fault: Extract<Fault, { kind: 'fail' }>): Response => {
  if ('status' in fault) {
    return context.html(`<h1>${fault.status}</h1>`, fault.status as ContentfulStatusCode);
  }
  throw new ApiError(fault.code, fault.retry_after === undefined ? {} : { retryAfter: fault.retry_after });
};

/** Closes the connection without a response. */
const cut = (context: Context<Environment>): void => {
  void context.res.body?.cancel().catch(() => {});
  closeConnection(context);
  context.res = new Response(null);
};

const closeConnection = ({ env }: Context<Environment>): void => {
  env.incoming?.socket.destroy();
};
