/**
 * The cookies of the sign-in: one while a person is at the provider, and one for the session. Their content is encrypted and
 * authenticated, so only the service can write it. Each contains its own name, so that neither can be used as the other.
 */
import { z } from '@hono/zod-openapi';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Context } from 'hono';
import type { Encryption } from '../core/encryption.ts';
import { checks } from './provider.ts';

const minuteMs = 60_000;

interface Cookie<Content> {
  read(context: Context): Content | undefined;
  write(context: Context, content: Content): void;
  remove(context: Context): void;
}

interface CookieOptions<Content> {
  name: string;
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

const createCookie = <Content>(
  { encryption, now, redirectUrl }: CookieContext,
  { name, below, lifetimeMs, schema }: CookieOptions<Content>,
): Cookie<Content> => {
  const callback = new URL(redirectUrl);
  const path = new URL(below, callback).pathname.replace(/\/$/, '');
  const sealed = z.object({ name: z.literal(name), until: z.number(), content: schema });
  const attributes = { path, httpOnly: true, secure: callback.protocol === 'https:', sameSite: 'Lax' } as const;
  return {
    read(context) {
      const value = getCookie(context, name);
      if (value === undefined) return undefined;
      try {
        const { until, content } = sealed.parse(JSON.parse(encryption.decrypt(value)));
        return until > now() ? content : undefined;
      } catch {
        // Not written by this service, or with a key that is no longer used.
        return undefined;
      }
    },
    write(context, content) {
      const text = JSON.stringify({ name, until: now() + lifetimeMs, content });
      setCookie(context, name, encryption.encrypt(text), { ...attributes, maxAge: lifetimeMs / 1000 });
    },
    remove: (context) => void deleteCookie(context, name, attributes),
  };
};

/** For a working day. Nothing renews it, so the provider decides at least once a day who belongs to the team. */
const sessionMs = 10 * 60 * minuteMs;
/** How long a person may take at the provider. */
const attemptMs = 15 * minuteMs;

export const createCookies = (context: CookieContext) => ({
  session: createCookie(context, {
    name: 'workspace-team-session',
    below: '..',
    lifetimeMs: sessionMs,
    schema: z.object({ memberId: z.string() }),
  }),
  attempt: createCookie(context, {
    name: 'workspace-team-sign-in',
    below: '.',
    lifetimeMs: attemptMs,
    schema: checks,
  }),
});

export type Cookies = ReturnType<typeof createCookies>;
