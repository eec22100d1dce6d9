/** The HTTP application: the middleware of every request, the routes, and the conversion of errors to responses. */
import type { Dependencies } from './http/dependencies.ts';
import { OpenAPIHono, z } from '@hono/zod-openapi';
import { routePath } from 'hono/route';
import { HTTPException } from 'hono/http-exception';
import type { Context, MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ErrorDetail } from '../contract/wire.ts';
import { accountRoutes } from './routes/account.ts';
import { actionRoutes } from './routes/actions.ts';
import { agentRoutes } from './routes/agents.ts';
import { chatRoutes } from './routes/chat.ts';
import { conversationRoutes } from './routes/conversations.ts';
import { leadRoutes } from './routes/leads.ts';
import { submissionRoutes } from './routes/submissions.ts';
import { contactRoutes } from './routes/contacts.ts';
import { questionRoutes } from './routes/questions.ts';
import { sourceRoutes } from './routes/sources.ts';
import { ticketRoutes } from './routes/tickets.ts';
import { usageRoutes } from './routes/usage.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { createTeamApp } from './team/app.ts';
import { authenticate } from './http/authenticate.ts';
import { callerAddress } from './http/caller-address.ts';
import { cors } from './http/cors.ts';
import { TurnInterruptedError, UnrepeatableTurnError } from './chat/turn.ts';
import { healthRoutes } from './http/health.ts';
import type { App, Environment } from './http/environment.ts';
import { ApiError, errorBody } from './core/errors.ts';
import { isDatabaseUnavailable } from './db/unavailable.ts';
import { newId } from './core/ids.ts';
import { acceptedLanguage } from './core/language.ts';
import { errorText } from './core/log.ts';
import { limitCalls } from './http/limit-calls.ts';
import { tags } from './http/operation.ts';
import { ignoreBody } from './http/read-body.ts';
import { rejectDotSegments } from './http/request-url.ts';
import { apiVersion, basePath } from './core/version.ts';

export const createApp = (dependencies: Dependencies): App => {
  const app = new OpenAPIHono<Environment>({
    defaultHook: (result, context: Context<Environment>) => {
      if (!result.success) throw new ApiError('validation_error', { details: fieldErrors(result.error, context) });
    },
  });

  // Before the middleware, because probes arrive every few seconds and would fill the log.
  healthRoutes(app, dependencies);
  app.use(observeRequest(dependencies));
  app.use(cors(dependencies));
  app.use((context, next) => {
    rejectDotSegments(context);
    return next();
  });
  if (dependencies.development) app.use(dependencies.development.breakCalls);

  const api = app.basePath(basePath);
  accountRoutes(api, dependencies);
  agentRoutes(api, dependencies);
  chatRoutes(api, dependencies);
  conversationRoutes(api, dependencies);
  leadRoutes(api, dependencies);
  submissionRoutes(api, dependencies);
  webhookRoutes(api, dependencies);
  contactRoutes(api, dependencies);
  usageRoutes(api, dependencies);
  sourceRoutes(api, dependencies);
  questionRoutes(api, dependencies);
  ticketRoutes(api, dependencies);
  actionRoutes(api, dependencies);
  api.openAPIRegistry.registerComponent('securitySchemes', 'key', { type: 'http', scheme: 'bearer' });
  api.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: {
      title: 'Workspace Assistant API',
      version: apiVersion,
      description: 'Conversations of an assistant with visitors, and what a workspace knows and does.',
      license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
    },
    servers: [{ url: '/' }],
    tags,
  });

  app.route('/team', createTeamApp(dependencies));

  const respond = createErrorHandler(dependencies);
  app.onError(respond);
  // Errors of this handler bypass the middleware and its headers, so they are converted here.
  app.notFound((context) => unknownRoute(dependencies, app, context).catch((error) => respond(error, context)));
  return app;
};

/** Sets the values and the headers that every request has, and observes and logs the request. */
const observeRequest = (dependencies: Dependencies): MiddlewareHandler<Environment> => {
  return async (context, next) => {
    const started = performance.now();
    context.set('requestId', newId('req'));
    context.set('address', callerAddress(context, dependencies.trustedProxies));
    context.set('language', acceptedLanguage(context.req.header('accept-language') ?? ''));
    const observation = dependencies.observer.start('request', context.req.raw.headers);
    await observation.run(next);
    if (context.res.status >= 400) await endRejectedCall(context);
    if (dependencies.draining.aborted) context.header('Connection', 'close');
    context.header('X-Service-Api-Version', apiVersion);
    context.header('X-Request-Id', context.var.requestId);
    if (!context.res.headers.has('Cache-Control')) context.header('Cache-Control', 'no-store');
    const { status } = context.res;
    const { method } = context.req;
    // The pattern, because a caller may put any text into a path.
    const route = routePath(context, -1);
    observation.end({ method: isKnownMethod(method) ? method : 'other', route, status });
    dependencies.log({
      level: status >= 500 ? 'error' : 'info',
      event: 'request',
      request_id: context.var.requestId,
      method,
      route,
      status,
      key_id: context.var.key?.id,
      milliseconds: Math.round(performance.now() - started),
    });
  };
};

/**
 * Reads the rest of a rejected call, and has the connection of a chat call closed. A browser repeats a POST by itself when
 * a connection that it reuses is reset before the response, and the service would process the message twice.
 */
const endRejectedCall = async (context: Context<Environment>): Promise<void> => {
  await ignoreBody(context);
  const isChatCall = context.req.method === 'POST' && /\/chat(\/tool-results)?$/.test(context.req.path);
  if (isChatCall) context.header('Connection', 'close');
};

/** A caller may invent methods, and each label of a metric costs memory. */
const isKnownMethod = (method: string): boolean => {
  return ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].includes(method);
};

/** Converts a thrown value to a response. Everything but an `ApiError` becomes an internal error. */
const createErrorHandler = (dependencies: Dependencies) => {
  return (error: unknown, context: Context<Environment>): Response => {
    const { errorName, status, extra } = toApiError(error, context);
    const { requestId, language } = context.var;
    if (!(error instanceof ApiError) && status >= 500) {
      dependencies.log({ level: 'error', event: 'failure', request_id: requestId, error: errorText(error) });
    }
    if (extra.retryAfter !== undefined) context.header('Retry-After', String(extra.retryAfter));
    return context.json(errorBody(errorName, language, requestId, extra), status as ContentfulStatusCode);
  };
};

/** Seconds after which a call can be repeated that the database could not serve. */
const databaseRetryAfter = 5;

const toApiError = (error: unknown, context: Context<Environment>): ApiError => {
  if (error instanceof ApiError) return error;
  // The key is free again, and a repeated call continues with the message that is stored already.
  if (error instanceof TurnInterruptedError && context.req.header('idempotency-key')) {
    return new ApiError('idempotency_in_progress', { retryAfter: 2 });
  }
  if (error instanceof HTTPException && error.status < 500) return new ApiError('validation_error', { details: [] });
  // A caller that repeats this call by itself would store the message twice.
  if (error instanceof UnrepeatableTurnError) return new ApiError('internal_error');
  if (isDatabaseUnavailable(error)) return new ApiError('service_unavailable', { retryAfter: databaseRetryAfter });
  return new ApiError('internal_error');
};

/** Checks the key first, so that a caller without a valid key cannot find out which URLs exist. */
const unknownRoute = async (dependencies: Dependencies, app: App, context: Context<Environment>): Promise<never> => {
  if (!context.req.path.startsWith(`${basePath}/`)) throw new ApiError('not_found');
  const key = await authenticate(dependencies, context);
  if (key.kind === 'publishable') throw new ApiError('secret_key_required');
  await limitCalls(dependencies, context, key, 'call');
  const allowed = methodsAt(app, context.req.path);
  if (allowed.length === 0) throw new ApiError('not_found');
  context.header('Allow', allowed.join(', '));
  throw new ApiError('method_not_allowed');
};

const methodsAt = (app: App, path: string): string[] => {
  const methods = ['GET', 'POST', 'PATCH', 'DELETE'];
  return methods.filter((method) =>
    app.routes.some(
      (route) =>
        route.method === method &&
        new RegExp(`^${route.path.replace(/:[^/]+/g, '[^/]+').replaceAll('.', '\\.')}$`).test(path),
    ),
  );
};

const arabic = z.locales.ar();

const fieldErrors = (error: z.ZodError, context: Context<Environment>): ErrorDetail[] => {
  return error.issues.map((issue) => {
    const translated = context.var.language === 'ar' ? arabic.localeError(issue as never) : undefined;
    const message = typeof translated === 'string' ? translated : (translated?.message ?? issue.message);
    return { field: issue.path.join('.'), code: issue.code, message };
  });
};
