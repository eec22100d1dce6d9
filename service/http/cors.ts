/** CORS: the agent's websites, pages of this machine and apps may read responses. */
import type { Dependencies } from './dependencies.ts';
import { eq } from 'drizzle-orm';
import type { Context, MiddlewareHandler } from 'hono';
import { isLoopbackUrl } from '../core/loopback.ts';
import type { Agent } from '../db/records.ts';
import { agents } from '../db/schema.ts';
import type { Environment } from './environment.ts';

const exposed = [
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-Service-Api-Version',
  'Idempotent-Replayed',
];

export const cors = (dependencies: Dependencies): MiddlewareHandler<Environment> => {
  return async (context, next) => {
    const origin = context.req.header('origin');
    const isPreflight =
      context.req.method === 'OPTIONS' && context.req.header('access-control-request-method') !== undefined;
    if (!isPreflight) await next();
    const granted = origin !== undefined && (await isGranted(dependencies, origin, context));
    if (isPreflight) {
      context.status(204);
      context.res = context.body(null);
      if (granted) {
        context.header('Access-Control-Allow-Methods', 'GET, POST, PATCH, DELETE');
        context.header('Access-Control-Allow-Headers', 'Authorization, Content-Type, Accept-Language, Idempotency-Key');
        context.header('Access-Control-Max-Age', '600');
      }
    }
    context.header('Vary', 'Origin', { append: true });
    if (!granted) return;
    context.header('Access-Control-Allow-Origin', origin);
    // The team page sends the cookie of the session. No other page may.
    if (isTeamPage(dependencies, origin, context)) context.header('Access-Control-Allow-Credentials', 'true');
    context.header('Access-Control-Expose-Headers', exposed.join(', '));
  };
};

/** Apps use publishable keys too. Their pages have the origin `null` or a custom scheme. */
const isGranted = async (
  dependencies: Dependencies,
  origin: string,
  context: Context<Environment>,
): Promise<boolean> => {
  if (!/^https?:\/\//i.test(origin)) return true;
  if (isLoopbackUrl(origin) || isTeamPage(dependencies, origin, context)) return true;
  const agentId = /\/agents\/([^/]+)/.exec(context.req.path)?.[1];
  if (agentId === undefined) return false;
  // A call that was authenticated has found its agent. Variables are undefined until they are set.
  const agent = context.var.agent as Agent | null | undefined;
  try {
    const found = agent ?? (await findOrigins(dependencies, decodeSafely(agentId)));
    return found?.allowedOrigins.includes(origin.toLowerCase()) ?? false;
  } catch {
    // Without the database, every response is an error without data. A page that cannot read it takes it for a broken connection.
    return true;
  }
};

const isTeamPage = ({ signIn }: Dependencies, origin: string, context: Context<Environment>): boolean =>
  signIn !== undefined && origin === signIn.teamOrigin && context.req.path.startsWith('/team/');

const findOrigins = async (
  { db }: Dependencies,
  agentId: string,
): Promise<Pick<Agent, 'allowedOrigins'> | undefined> => {
  const [agent] = await db.select({ allowedOrigins: agents.allowedOrigins }).from(agents).where(eq(agents.id, agentId));
  return agent;
};

const decodeSafely = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};
