/**
 * Declares an operation of the API: from one declaration come its route, what a key needs for it, the limits that
 * hold, the validation of what is sent, and its part of the OpenAPI document.
 */
import { createRoute, z, type RouteConfig } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { maxBodyBytes } from '../../contract/limits.ts';
import type { ErrorBody } from '../../contract/wire.ts';
import { authenticate, authorise, type Needs } from './authenticate.ts';
import type { Environment, Dependencies } from './environment.ts';
import { ApiError } from '../core/errors.ts';
import { limitCalls, type Bucket } from './limit-calls.ts';
import { readBody } from './read-body.ts';

const errorSchema = z
  .object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      request_id: z.string(),
      details: z
        .union([z.array(z.object({ field: z.string(), code: z.string(), message: z.string() })), z.string()])
        .optional(),
      required_scope: z.string().optional(),
      required_plan: z.string().optional(),
      limit_chars: z.number().int().optional(),
      used_chars: z.number().int().optional(),
    }),
  })
  .openapi('Error') satisfies z.ZodType<ErrorBody>;

const refusal = (description: string) => ({ description, content: { 'application/json': { schema: errorSchema } } });

const refusals = {
  401: refusal('The key is missing, unknown, revoked or expired.'),
  403: refusal('The key may not make this call.'),
  404: refusal('No such thing in this workspace.'),
  413: refusal('The body is too large.'),
  422: refusal('What was sent is not valid.'),
  429: refusal('Too many calls this minute.'),
  500: refusal("The service's own fault."),
};

export const conflict = refusal('The call cannot be made now.');
export const gone = refusal('The conversation is over.');
export const failedHere = refusal('The import failed on the side of the service.');
export const planLimit = refusal('The plan of the workspace does not hold this.');
export const unavailable = refusal('Something it needs cannot be read at the moment.');

export const noContent = { description: 'Done.' };

export const json = <Schema extends z.ZodType>(schema: Schema, description: string) => ({
  description,
  content: { 'application/json': { schema } },
});

/** Something new, and where it is. */
export const created = <Schema extends z.ZodType>(schema: Schema, description: string) => ({
  ...json(schema, description),
  headers: z.object({ Location: z.string() }),
});

export const jsonBody = <Schema extends z.ZodType>(schema: Schema) => ({
  body: { required: true as const, content: { 'application/json': { schema } } },
});

interface Declaration {
  operationId: string;
  summary: string;
  request?: RouteConfig['request'];
  responses: RouteConfig['responses'];
}

export interface Demands {
  needs: Needs;
  bucket?: Bucket;
  /** Bytes of body accepted. */
  bodyLimit?: number;
}

/** The checks run in the order the API promises: key, kind and scope, limits, size, body. */
const checks = (dependencies: Dependencies, demands: Demands, hasBody: boolean): MiddlewareHandler<Environment> => {
  return async (context, next) => {
    const key = await authenticate(dependencies, context);
    authorise(key, demands.needs);
    await limitCalls(dependencies, context, key, demands.bucket ?? 'call');
    if (/%00/.test(context.req.url)) throw new ApiError('not_found');
    if (hasBody) await readBody(context, demands.bodyLimit ?? maxBodyBytes);
    await next();
  };
};

export const operation = <
  const Method extends 'get' | 'post' | 'patch' | 'delete',
  const Path extends string,
  const Rest extends Declaration,
>(
  dependencies: Dependencies,
  method: Method,
  path: Path,
  demands: Demands,
  rest: Rest,
) => {
  const route = {
    ...rest,
    method,
    path,
    security: (demands.needs === 'any' ? [[]] : [demands.needs].flat().map((scope) => [scope])).map((key) => ({ key })),
    middleware: checks(dependencies, demands, method === 'post' || method === 'patch'),
    responses: { ...refusals, ...rest.responses },
  };
  // Refusals are thrown, never returned by a handler: only the operation's own answers take part in its type.
  return createRoute(route as unknown as RouteConfig) as unknown as Rest & {
    method: Method;
    path: Path;
    getRoutingPath(): string;
  };
};
