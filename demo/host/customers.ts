/** The routes for the shop's customers: the session, and the token that proves the customer's identity to the workspace. */
import { randomUUID } from 'node:crypto';
import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { SignJWT } from 'jose';

const customer = { id: 'cus_1042', name: 'Aisha Al Lawati', email: 'aisha@example.com', phone: '+968 9000 1042' };
const cookie = 'shop_session';
/** In seconds, at most 24 hours. The widget requests a new token when it needs one. */
const tokenLifetime = 10 * 60;

/** A cache must not give the token of one customer to another. */
const noStore: MiddlewareHandler = async (context, next) => {
  await next();
  context.header('Cache-Control', 'no-store');
};

export const customerRoutes = ({ identitySecret, now }: { identitySecret: string; now: () => number }): Hono => {
  // A real shop checks a password, and stores its sessions in a database.
  const sessions = new Map<string, typeof customer>();
  const customerOf = (context: Context) => sessions.get(getCookie(context, cookie) ?? '');

  return (
    new Hono()
      .use('/session', noStore)
      .use('/identity-token', noStore)
      .post('/session', (context) => {
        const session = randomUUID();
        sessions.set(session, customer);
        setCookie(context, cookie, session, { httpOnly: true, sameSite: 'Strict', path: '/' });
        return context.json({ name: customer.name }, 201);
      })
      .get('/session', (context) => context.json({ name: customerOf(context)?.name ?? null }))
      .delete('/session', (context) => {
        sessions.delete(getCookie(context, cookie) ?? '');
        deleteCookie(context, cookie, { path: '/' });
        return context.body(null, 204);
      })
      // The token identifies the customer of the session, never an id that the page sends.
      .get('/identity-token', async (context) => {
        const signedInCustomer = customerOf(context);
        if (!signedInCustomer) return context.body(null, 401);
        const issued = Math.floor(now() / 1000);
        const { id, name, email, phone } = signedInCustomer;
        const token = await new SignJWT({ name, email, phone })
          .setProtectedHeader({ alg: 'HS256' })
          .setSubject(id)
          .setIssuedAt(issued)
          .setExpirationTime(issued + tokenLifetime)
          .sign(new TextEncoder().encode(identitySecret));
        return context.json({ token });
      })
  );
};
