/** The routes for the shop's customers: the session, and the token that proves the customer's identity to the workspace. */
import { randomUUID } from 'node:crypto';
import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { SignJWT } from 'jose';

export interface Customer {
  id: string;
  name: string;
  /** Verified by the shop. */
  email: string;
  phone: string;
}

const customer: Customer = {
  id: 'cus_1042',
  name: 'Aisha Al Lawati',
  email: 'aisha@example.com',
  phone: '+968 9000 1042',
};
const cookie = 'shop_session';
/** In seconds, at most 24 hours. The widget requests a new token when it needs one. */
const tokenLifetime = 10 * 60;

/** A cache must not give the data of one customer to another. */
export const noStore: MiddlewareHandler = async (context, next) => {
  await next();
  context.header('Cache-Control', 'no-store');
};

/** The customers who are signed in. A real shop checks a password, and stores its sessions in a database. */
export class Sessions {
  readonly #sessions = new Map<string, Customer>();

  /** Returns the customer of the request's session, never of an id that the page sends. */
  customerOf(context: Context): Customer | undefined {
    return this.#sessions.get(getCookie(context, cookie) ?? '');
  }

  signIn(context: Context): Customer {
    const session = randomUUID();
    this.#sessions.set(session, customer);
    setCookie(context, cookie, session, { httpOnly: true, sameSite: 'Strict', path: '/' });
    return customer;
  }

  signOut(context: Context): void {
    this.#sessions.delete(getCookie(context, cookie) ?? '');
    deleteCookie(context, cookie, { path: '/' });
  }
}

interface CustomerOptions {
  sessions: Sessions;
  identitySecret: string;
  now: () => number;
}

export const customerRoutes = ({ sessions, identitySecret, now }: CustomerOptions): Hono =>
  new Hono()
    .use('/session', noStore)
    .use('/identity-token', noStore)
    .post('/session', (context) => context.json({ name: sessions.signIn(context).name }, 201))
    .get('/session', (context) => context.json({ name: sessions.customerOf(context)?.name ?? null }))
    .delete('/session', (context) => {
      sessions.signOut(context);
      return context.body(null, 204);
    })
    .get('/identity-token', async (context) => {
      const signedInCustomer = sessions.customerOf(context);
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
    });
