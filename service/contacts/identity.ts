/**
 * Who a visitor is, proven by the site's own server: a JWT signed with the agent's identity secret, or the user's id
 * with its HMAC (the contract's "Visitor identity").
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { decodeJwt, errors, jwtVerify, type JWTPayload } from 'jose';
import { z } from '@hono/zod-openapi';
import {
  identityTokenToleranceSeconds,
  maxAttributeLength,
  maxContactAttributes,
  maxIdentityTokenLifetimeSeconds,
} from '../../contract/limits.ts';
import type { Db } from '../db/open.ts';
import { identitySecrets } from '../db/schema.ts';
import type { Dependencies } from '../http/environment.ts';
import { ApiError } from '../core/errors.ts';
import { DecryptionError } from '../core/encryption.ts';
import type { Known } from './contacts.ts';

export interface UserHash {
  user_id: string;
  user_hash: string;
  email?: string | undefined;
  name?: string | undefined;
}

/** What a page may say of its visitor. */
export type Claim = { token: string } | UserHash;

export interface Identity {
  /** Whether a secret of the agent stands behind it; nothing trusts it otherwise. */
  proven: boolean;
  /** What is proven; of an unverifiedProfile claim, what was said. */
  known: Known;
  /** Said beside a proven id without being proven: shown to the team, never matched. */
  beside: { name?: string | undefined; email?: string | undefined };
}

/** Milliseconds for which a replaced secret still verifies. */
const previousSecretLifetimeMs = 24 * 60 * 60 * 1000;
/** Seconds until a secret that cannot be read now is asked for again. */
const retryAfter = 30;

const payloadSchema = z.object({
  sub: z.string().min(1).max(200),
  exp: z.number(),
  iat: z.number().optional(),
  email: z.string().max(320).optional(),
  phone: z.string().max(50).optional(),
  name: z.string().max(200).optional(),
  attributes: z
    .record(z.string().max(maxAttributeLength), z.union([z.string().max(maxAttributeLength), z.number(), z.boolean()]))
    .refine((attributes) => Object.keys(attributes).length <= maxContactAttributes)
    .optional(),
});

export const identify = async (dependencies: Dependencies, agentId: string, claim: Claim): Promise<Identity> => {
  const secrets = await identitySecretsOf(dependencies, agentId);
  if (secrets.length === 0) return { proven: false, known: unverifiedProfile(claim), beside: {} };
  if ('token' in claim) return { proven: true, known: await fromToken(dependencies, claim.token, secrets), beside: {} };
  if (!secrets.some((secret) => isValidHash(claim, secret))) throw new ApiError('identity_rejected');
  const { name, email } = claim;
  return { proven: true, known: { externalId: claim.user_id }, beside: { name, email } };
};

/** The secret, and for a day after a rotation the one before it. */
const identitySecretsOf = async ({ db, now, encryption }: Dependencies, agentId: string): Promise<string[]> => {
  const [row] = await db.select().from(identitySecrets).where(eq(identitySecrets.agentId, agentId));
  if (!row) return [];
  const previous = row.previousUntil && row.previousUntil.getTime() > now() ? row.previousEncrypted : null;
  try {
    return [row.encrypted, ...(previous === null ? [] : [previous])].map((secret) => encryption.decrypt(secret));
  } catch (error) {
    if (error instanceof DecryptionError) throw new ApiError('identity_unavailable', { retryAfter });
    throw error;
  }
};

const fromToken = async ({ now }: Dependencies, token: string, secrets: string[]): Promise<Known> => {
  for (const secret of secrets) {
    try {
      const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), {
        algorithms: ['HS256'],
        clockTolerance: identityTokenToleranceSeconds,
        currentDate: new Date(now()),
        requiredClaims: ['sub', 'exp'],
      });
      return bounded(payload, now());
    } catch (error) {
      if (error instanceof errors.JWSSignatureVerificationFailed) continue;
      if (error instanceof errors.JOSEError) break;
      throw error;
    }
  }
  throw new ApiError('identity_rejected');
};

const bounded = (payload: JWTPayload, now: number): Known => {
  const { success, data } = payloadSchema.safeParse(payload);
  const tooLong = (from: number) => success && data.exp - from > maxIdentityTokenLifetimeSeconds;
  if (!success || tooLong(Math.floor(now / 1000)) || (data.iat !== undefined && tooLong(data.iat))) {
    throw new ApiError('identity_rejected');
  }
  const { sub: externalId, name, email, phone, attributes } = data;
  return { externalId, name, email, phone, attributes };
};

const isValidHash = ({ user_id, user_hash }: UserHash, secret: string): boolean => {
  const expected = createHmac('sha256', secret).update(user_id).digest();
  return /^[0-9a-f]{64}$/.test(user_hash) && timingSafeEqual(expected, Buffer.from(user_hash, 'hex'));
};

const unverifiedProfile = (claim: Claim): Known => {
  if (!('token' in claim)) return { externalId: claim.user_id, name: claim.name, email: claim.email };
  try {
    const { sub, name, email } = decodeJwt<{ name?: unknown; email?: unknown }>(claim.token);
    const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 320) : undefined);
    return { externalId: text(sub), name: text(name), email: text(email) };
  } catch {
    return {};
  }
};

/** A new secret verifies at once; the one before it for a day more, unless it is ended now. */
export const rotateIdentitySecret = async (
  db: Db,
  { encryption, now }: Pick<Dependencies, 'encryption' | 'now'>,
  { agentId, secret, endPrevious }: { agentId: string; secret: string; endPrevious: boolean },
): Promise<void> => {
  const encrypted = encryption.encrypt(secret);
  await db.transaction(async (tx) => {
    const [before] = await tx.select().from(identitySecrets).where(eq(identitySecrets.agentId, agentId)).for('update');
    const previous = {
      previousEncrypted: endPrevious ? null : (before?.encrypted ?? null),
      previousUntil: endPrevious || !before ? null : new Date(now() + previousSecretLifetimeMs),
    };
    await tx
      .insert(identitySecrets)
      .values({ agentId, encrypted, ...previous })
      .onConflictDoUpdate({ target: identitySecrets.agentId, set: { encrypted, ...previous } });
  });
};
