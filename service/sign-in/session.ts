/**
 * The cookies of the sign-in: one for each time that a person is at the provider, and one for the session. Their content is encrypted and
 * authenticated, so only the service can write it. Each contains its own name, so that neither can be used as the other.
 */
import { z } from '@hono/zod-openapi';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Context } from 'hono';
import type { Encryption } from '../core/encryption.ts';
import { checks, type Checks } from './provider.ts';

const minuteMs = 60_000;

interface CookieOptions<Content> {
  /** The path for which the browser sends the cookie, relative to the callback. */
  below: string;
  lifetimeMs: number;
  schema: z.ZodType<Content>;
}

interface CookieContext {
  encryption: Encryption;
  now: () => number;
  /** The public address of `/team/sign-in/callback`. A proxy may serve it below another path. */
  redirectUrl: string;
}

/** Reads and writes the cookies of one kind, by their names. */
const createCookies = <Content>(
  { encryption, now, redirectUrl }: CookieContext,
  { below, lifetimeMs, schema }: CookieOptions<Content>,
) => {
  const callback = new URL(redirectUrl);
  const path = new URL(below, callback).pathname.replace(/\/$/, '');
  const sealed = z.object({ name: z.string(), until: z.number(), content: schema });
  const attributes = { path, httpOnly: true, secure: callback.protocol === 'https:', sameSite: 'Lax' } as const;
  return {
    read(context: Context, name: string): { until: number; content: Content } | undefined {
      const value = getCookie(context, name);
      if (value === undefined) return undefined;
      try {
        const read = sealed.parse(JSON.parse(encryption.decrypt(value) ?? ''));
        return read.name === name && read.until > now() ? read : undefined;
      } catch {
        // Not written by this service, or with a key that is no longer used.
        return undefined;
      }
    },
    write(context: Context, name: string, content: Content): void {
      const text = JSON.stringify({ name, until: now() + lifetimeMs, content });
      setCookie(context, name, encryption.encrypt(text), { ...attributes, maxAge: lifetimeMs / 1000 });
    },
    remove: (context: Context, name: string): void => void deleteCookie(context, name, attributes),
  };
};

/** For a working day. Nothing renews it, so the provider decides at least once a day who belongs to the team. */
const sessionMs = 10 * 60 * minuteMs;
/** How long a person may take at the provider. */
const attemptMs = 15 * minuteMs;
/** Sign-ins that a browser may have begun. The oldest is given up for one more, because a browser limits the size of all cookies. */
const maxAttempts = 5;

const createSession = (context: CookieContext) => {
  const name = 'workspace-team-session';
  // A session that an older version has begun has no number.
  const schema = z.object({ memberId: z.string(), signOuts: z.number().default(0) });
  const cookies = createCookies(context, { below: '..', lifetimeMs: sessionMs, schema });
  return {
    read: (call: Context) => cookies.read(call, name)?.content,
    write: (call: Context, content: z.infer<typeof schema>) => cookies.write(call, name, content),
    remove: (call: Context) => cookies.remove(call, name),
  };
};

/** Each attempt has a cookie of its own, because two tabs may be at the provider at the same time. */
const createAttempts = (context: CookieContext) => {
  const prefix = 'workspace-team-sign-in-';
  const nameOf = (state: string) => `${prefix}${state.slice(0, 16)}`;
  const cookies = createCookies(context, { below: '.', lifetimeMs: attemptMs, schema: checks });
  return {
    begin(call: Context, begun: Checks): void {
      // Another host of the site may have set cookies whose names could not be written.
      const names = Object.keys(getCookie(call)).filter((name) => name.startsWith(prefix) && /^[\w-]+$/.test(name));
      const untilOf = (name: string) => cookies.read(call, name)?.until ?? 0;
      const newestFirst = names.toSorted((one, other) => untilOf(other) - untilOf(one));
      for (const name of newestFirst.slice(maxAttempts - 1)) cookies.remove(call, name);
      cookies.write(call, nameOf(begun.state), begun);
    },
    /** Returns the attempt with this state, and ends it. The others continue. */
    take(call: Context, state: string): Checks | undefined {
      const found = cookies.read(call, nameOf(state))?.content;
      if (found?.state !== state) return undefined;
      cookies.remove(call, nameOf(state));
      return found;
    },
  };
};

export const createSignInCookies = (context: CookieContext) => ({
  session: createSession(context),
  attempts: createAttempts(context),
});

export type SignInCookies = ReturnType<typeof createSignInCookies>;
