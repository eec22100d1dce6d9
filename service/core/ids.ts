/** Random ids and secrets, and the hash under which secrets are stored. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

export type IdPrefix =
  | ('wsp' | 'agt' | 'key' | 'src' | 'act' | 'prd' | 'cnv' | 'msg' | 'call' | 'req')
  | ('lead' | 'fld' | 'sub' | 'bkg' | 'aud' | 'mem' | 'evt' | 'whk' | 'ntc' | 'con' | 'rem' | 'tkt' | 'acl');

const idBytes = 12;
/** Random bytes for many ids, because a turn needs several and each call of the generator is slow. */
let pool = Buffer.alloc(0);
let used = 0;

export const newId = (prefix: IdPrefix): string => {
  if (used + idBytes > pool.length) {
    pool = randomBytes(idBytes * 200);
    used = 0;
  }
  used += idBytes;
  return `${prefix}_${pool.toString('base64url', used - idBytes, used)}`;
};

/** Returns the same id for the same seed. */
export const derivedId = (prefix: IdPrefix, seed: string): string => {
  return `${prefix}_${createHash('sha256').update(`${prefix} ${seed}`).digest('base64url').slice(0, 16)}`;
};

export const newKey = (kind: 'secret' | 'publishable'): string => {
  return `${kind === 'secret' ? 'svc_sk_' : 'svc_pk_'}${randomBytes(24).toString('base64url')}`;
};

/** The key of an agent, which its hosts publish to verify themselves. */
export const newPublicKey = (): string => `pk_${randomBytes(16).toString('base64url')}`;

export const newConversationToken = (): string => {
  return `ct_${randomBytes(24).toString('base64url')}`;
};

/** A fast hash without a salt is enough, because the hashed secrets are long and random. */
export const sha256 = (text: string): string => {
  return createHash('sha256').update(text).digest('hex');
};

/** Compares a secret with a hash in constant time. */
export const matchesHash = (secret: string, hash: string): boolean => {
  return timingSafeEqual(Buffer.from(sha256(secret), 'hex'), Buffer.from(hash, 'hex'));
};
