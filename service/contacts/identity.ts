/**
 * The identity of a visitor, proven by the site's server: a JWT signed with the agent's identity secret, or the user id
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
import { hasPrototypeMember } from '../core/json-shape.ts';
import type { DatabaseContext, Db } from '../db/database.ts';
import { identitySecrets } from '../db/schema.ts';
import { withoutNulls } from '../core/absent-members.ts';
import { ApiError } from '../core/errors.ts';
import type { Encryption } from '../core/encryption.ts';
import type { ContactProfile } from './contacts.ts';
import { isStrictToken } from './strict-token.ts';
import { boundedText } from '../core/bounded-text.ts';
import { shortened } from '../../contract/characters.ts';

export interface UserHash {
  user_id: string;
  user_hash: string;
  email?: string | undefined;
  name?: string | undefined;
}

/** The identity that a page sends for its visitor. */
export type IdentityClaim = { token: string } | UserHash;

export interface Identity {
  /** Whether the claim was verified with a secret of the agent. */
  isProven: boolean;
  /** The proven properties, or the claimed ones when nothing is proven. */
  profile: ContactProfile;
  /** Sent together with a proven user id, but not covered by the proof. Shown to the team, never used to match. */
  unproven: { name?: string | undefined; email?: string | undefined };
}

/** Milliseconds for which a replaced secret still verifies. */
const previousSecretLifetimeMs = 24 * 60 * 60 * 1000;
/** Seconds after which the client may try again when a secret cannot be decrypted. */
const retryAfter = 30;

const payloadSchema = z.object({
  // A character that cannot be stored would make it the id of another user.
  sub: boundedText(200)
    .min(1)
    .regex(/^[^\0\p{Surrogate}]*$/u),
  exp: z.number(),
  iat: z.number().optional(),
  email: boundedText(320).optional(),
  phone: boundedText(50).optional(),
  name: boundedText(200).optional(),
  attributes: z
    .record(boundedText(maxAttributeLength), z.union([boundedText(maxAttributeLength), z.number(), z.boolean()]))
    .refine((attributes) => Object.keys(attributes).length <= maxContactAttributes)
    .optional(),
});

interface IdentityContext extends DatabaseContext {
  encryption: Encryption;
}

/** @throws {ApiError} `identity_rejected` when the proof is not valid. */
export const identify = async (context: IdentityContext, agentId: string, claim: IdentityClaim): Promise<Identity> => {
  const [stored] = await context.db.select().from(identitySecrets).where(eq(identitySecrets.agentId, agentId));
  if (!stored) return { isProven: false, profile: unverifiedProfile(claim), unproven: {} };
  if ('token' in claim && !isStrictToken(claim.token)) throw new ApiError('identity_rejected');
  const secrets = decryptedSecrets(context, stored);
  if ('token' in claim) {
    return { isProven: true, profile: await profileFromToken(context.now, claim.token, secrets), unproven: {} };
  }
  if (!secrets.some((secret) => isValidHash(claim, secret))) throw new ApiError('identity_rejected');
  const { name, email } = claim;
  return { isProven: true, profile: { externalId: claim.user_id }, unproven: { name, email } };
};

/** Returns the secret and, for a day after a rotation, the previous one. */
const decryptedSecrets = ({ now, encryption }: IdentityContext, row: typeof identitySecrets.$inferSelect): string[] => {
  const previous = row.previousUntil && row.previousUntil.getTime() > now() ? row.previousEncrypted : null;
  return [row.encrypted, ...(previous === null ? [] : [previous])].map((encrypted) => {
    const secret = encryption.decrypt(encrypted);
    if (secret === undefined) throw new ApiError('identity_unavailable', { retryAfter });
    return secret;
  });
};

const profileFromToken = async (now: () => number, token: string, secrets: string[]): Promise<ContactProfile> => {
  for (const secret of secrets) {
    try {
      const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), {
        algorithms: ['HS256'],
        // One second more, because the library also refuses a token that expired exactly that long ago.
        clockTolerance: identityTokenToleranceSeconds + 1,
        currentDate: new Date(now()),
        requiredClaims: ['sub', 'exp'],
      });
      return validProfile(payload, now());
    } catch (error) {
      if (error instanceof errors.JWSSignatureVerificationFailed) continue;
      if (error instanceof errors.JOSEError) break;
      throw error;
    }
  }
  throw new ApiError('identity_rejected');
};

const validProfile = (payload: JWTPayload, now: number): ContactProfile => {
  const { success, data } = payloadSchema.safeParse(withoutNulls(payloadSchema, payload));
  const tooLong = (from: number) => success && data.exp - from > maxIdentityTokenLifetimeSeconds;
  const isExpired = success && now / 1000 - data.exp > identityTokenToleranceSeconds;
  if (
    !success ||
    hasPrototypeMember(payload) ||
    isExpired ||
    tooLong(Math.floor(now / 1000)) ||
    (data.iat !== undefined && tooLong(data.iat))
  ) {
    throw new ApiError('identity_rejected');
  }
  const { sub: externalId, name, email, phone, attributes } = data;
  return { externalId, name, email, phone, attributes };
};

const isValidHash = ({ user_id, user_hash }: UserHash, secret: string): boolean => {
  const expected = createHmac('sha256', secret).update(user_id).digest();
  return /^[0-9a-f]{64}$/.test(user_hash) && timingSafeEqual(expected, Buffer.from(user_hash, 'hex'));
};

const unverifiedProfile = (claim: IdentityClaim): ContactProfile => {
  if (!('token' in claim)) return { externalId: claim.user_id, name: claim.name, email: claim.email };
  try {
    const { sub, name, email } = decodeJwt<{ name?: unknown; email?: unknown }>(claim.token);
    const text = (value: unknown) => (typeof value === 'string' ? shortened(value, 320) : undefined);
    return { externalId: text(sub), name: text(name), email: text(email) };
  } catch {
    return {};
  }
};

/** Replaces the secret. The previous one stays valid for a day, unless `endPrevious` is set. */
export const rotateIdentitySecret = async (
  tx: Db,
  { now, encryption }: Pick<IdentityContext, 'now' | 'encryption'>,
  { agentId, secret, endPrevious }: { agentId: string; secret: string; endPrevious: boolean },
): Promise<void> => {
  const encrypted = encryption.encrypt(secret);
  const [before] = await tx.select().from(identitySecrets).where(eq(identitySecrets.agentId, agentId)).for('update');
  const previous = {
    previousEncrypted: endPrevious ? null : (before?.encrypted ?? null),
    previousUntil: endPrevious || !before ? null : new Date(now() + previousSecretLifetimeMs),
  };
  await tx
    .insert(identitySecrets)
    .values({ agentId, encrypted, ...previous })
    .onConflictDoUpdate({ target: identitySecrets.agentId, set: { encrypted, ...previous } });
};
