/** Reads the visitor's proof of identity. Proofs are kept in memory only. */
import { toHex } from '../api/encoding.ts';
import { parseJson, toObject, toText } from '../api/decode-values.ts';
import type { ContactProof } from '../../contract/wire.ts';

/** A proof of identity, or a function that requests one from the site's server. Null or undefined means anonymous. */
export type Contact = ContactProof | null | undefined | (() => Promise<ContactProof | null | undefined>);

export interface Identified {
  proof: ContactProof;
  /** The user's id. It is never stored. */
  userId: string;
  /** The SHA-256 of the user's id, in hexadecimal. */
  owner: string;
}

const encoder = new TextEncoder();

export const digest = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)));

/** Returns the user's id in a proof: the token's `sub` (the contract's "Authentication", 6). The token is not verified. */
const readUserId = (proof: ContactProof): string => {
  if (!('token' in proof)) return toText(proof.user_id);
  const payload = proof.token.split('.')[1] ?? '';
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  return toText(toObject(parseJson(new TextDecoder().decode(bytes)))['sub']);
};

/** Returns the user's id in a proof, or an empty string for a proof that cannot be read. */
export const userIdOf = (proof: ContactProof): string => {
  try {
    return readUserId(proof);
  } catch {
    return '';
  }
};

/**
 * Returns the page's current proof of identity with its owner, or null for an anonymous visitor.
 * @throws {Error} When the page's function fails, or its result is not a proof.
 */
export const identify = async (contact: Contact): Promise<Identified | null> => {
  const given = typeof contact === 'function' ? await contact() : contact;
  if (!given) return null;
  // Send only these members: the page's object may hold others.
  const proof = 'token' in given ? { token: given.token } : { user_id: given.user_id, user_hash: given.user_hash };
  const userId = userIdOf(proof);
  if (!userId) throw new Error('The contact names no user: give {token} with a `sub`, or {user_id, user_hash}.');
  const owner = toHex(await digest(userId));
  return { proof, userId, owner };
};
