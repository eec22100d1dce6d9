/**
 * Declares an operation of the API. One declaration defines its route, the required scope, the limits, the validation of
 * the request, and its part of the OpenAPI document.
 */
import type { Dependencies } from './dependencies.ts';
import { createRoute, z, type RouteConfig } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { maxBodyBytes } from '../../contract/limits.ts';
import type { ErrorBody } from '../../contract/wire.ts';
import { authenticate, authorize, type RequiredScope } from './authenticate.ts';
import type { Environment } from './environment.ts';
import { limitCalls, type Bucket } from './limit-calls.ts';
import { readBody } from './read-body.ts';
import { rejectNul } from './request-url.ts';

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

export const json = <Schema extends z.ZodType>(schema: Schema, description: string) => ({
  description,
  content: { 'application/json': { schema } },
});

const errorResponse = (description: string) => json(errorSchema, description);

const commonErrors = {
  400: errorResponse('The request is not HTTP, or its body is no JSON.'),
  401: errorResponse('The key is missing, unknown, revoked or expired.'),
  403: errorResponse('The key may not make this call.'),
  404: errorResponse('The workspace has no such resource.'),
  405: errorResponse('The URL does not support this method.'),
  413: errorResponse('The body is too large.'),
  415: errorResponse('The body is not application/json.'),
  422: errorResponse('The request is not valid.'),
  429: errorResponse('Too many calls in this minute.'),
  500: errorResponse('An error of the service.'),
  503: errorResponse('The service restarts, or its database is not available. Retry-After says when to try again.'),
};

export const conflict = errorResponse('The call conflicts with the current state.');
export const gone = errorResponse('The conversation has ended.');
export const importFailed = errorResponse('The import failed on the side of the service.');
export const planLimit = errorResponse('The plan of the workspace does not include this.');
export const unavailable = errorResponse(
  'A required secret cannot be read at the moment, or the service is restarting.',
);

export const noContent = { description: 'Done.' };

/** A new resource, with its URL in the header `Location`. */
export const created = <Schema extends z.ZodType>(schema: Schema, description: string) => ({
  ...json(schema, description),
  headers: z.object({ Location: z.string() }),
});

export const jsonBody = <Schema extends z.ZodType>(schema: Schema) => ({
  body: { required: true as const, content: { 'application/json': { schema } } },
});

interface Declaration {
  method: 'get' | 'post' | 'patch' | 'delete';
  path: string;
  scope: RequiredScope;
  bucket?: Bucket;
  /** The maximum size of the body in bytes. */
  bodyLimit?: number;
  /** Whether the call may be repeated under an `Idempotency-Key`. */
  isRepeatable?: boolean;
  operationId: string;
  summary: string;
  request?: RouteConfig['request'];
  responses: RouteConfig['responses'];
}

const idempotencyKey = {
  in: 'header' as const,
  name: 'Idempotency-Key',
  description: 'Makes it safe to repeat the call within 24 hours: the same key and body get the first response again.',
  schema: { type: 'string' as const, minLength: 1, maxLength: 255 },
};

const ifNoneMatch = {
  in: 'header' as const,
  name: 'If-None-Match',
  description: 'The `ETag` of an earlier response: the response is 304 and has no body while the resource is the same.',
  schema: { type: 'string' as const },
};

const notModified = { description: 'The resource is that of `If-None-Match`.' };

/** A response with the `ETag` of its body. A client may store it, and has to ask before it uses it again. */
const withEntityTag: MiddlewareHandler<Environment>[] = [
  async (context, next) => {
    await next();
    if (context.res.ok) context.header('Cache-Control', 'private, no-cache');
  },
  etag({ retainedHeaders: [...RETAINED_304_HEADERS, 'x-ratelimit-limit', 'x-ratelimit-remaining'] }),
];

/** The groups of operations in the document. */
export const tags = [
  { name: 'me', description: 'The calling key.' },
  { name: 'agents', description: 'The assistants of the workspace.' },
  { name: 'chat', description: 'Messages of visitors, and the results of client tools.' },
  { name: 'conversations', description: 'Conversations and their messages.' },
  { name: 'contacts', description: 'The people that the workspace knows.' },
  { name: 'leads', description: 'The details that visitors leave in forms.' },
  { name: 'lead-fields', description: 'The fields of the form for leads.' },
  { name: 'tickets', description: 'Conversations that need a person.' },
  { name: 'sources', description: 'The knowledge of an agent.' },
  { name: 'actions', description: 'What an agent can do besides replying, and the calls of it.' },
  { name: 'submissions', description: 'The forms that visitors have sent.' },
  { name: 'webhooks', description: 'The endpoints that receive events.' },
  { name: 'usage', description: 'The used conversations of the month.' },
];

const keyOf = (required: RequiredScope): string => {
  if (required === 'any') return 'Needs a secret key, with any scopes.';
  const names = [required].flat().map((scope) => `\`${scope}\``);
  return `Needs a key with the scope ${names.join(' or ')}.`;
};

/** The group of an operation: the resource that its path names. */
const tagOf = (path: string): string => {
  const names = path.split('/').filter((part) => part !== '' && !part.startsWith('{'));
  return names[0] === 'agents' ? (names[1] ?? 'agents') : names[0]!;
};

/** Runs the checks in the order of the contract: key, kind and scope, rate limits, size, body. */
const checks = (
  dependencies: Dependencies,
  { method, scope, bucket = 'call', bodyLimit = maxBodyBytes, request }: Declaration,
): MiddlewareHandler<Environment> => {
  // In a PATCH, null removes what is stored.
  const media = method === 'post' ? request?.body?.content['application/json'] : undefined;
  const schema = media && 'schema' in media ? media.schema : undefined;
  return async (context, next) => {
    const key = await authenticate(dependencies, context);
    authorize(key, scope);
    await limitCalls(dependencies, context, key, bucket);
    rejectNul(context);
    if (method === 'post' || method === 'patch') await readBody(context, bodyLimit, { schema });
    await next();
  };
};

export const operation = <const Declared extends Declaration>(dependencies: Dependencies, declared: Declared) => {
  const { method, path, scope, isRepeatable, operationId, summary, request, responses } = declared;
  const isSingle = method === 'get' && path.endsWith('}');
  const route = {
    method,
    path,
    operationId,
    summary,
    request,
    security: (scope === 'any' ? [[]] : [scope].flat().map((each) => [each])).map((key) => ({ key })),
    description: keyOf(scope),
    tags: [tagOf(path)],
    parameters: [...(isRepeatable ? [idempotencyKey] : []), ...(isSingle ? [ifNoneMatch] : [])],
    middleware: [checks(dependencies, declared), ...(isSingle ? withEntityTag : [])],
    responses: { ...commonErrors, ...(isSingle ? { 304: notModified } : {}), ...responses },
  };
  // Handlers throw errors instead of returning them, so the type contains only the operation's own responses.
  return createRoute(route as unknown as RouteConfig) as unknown as Declared & { getRoutingPath(): string };
};
