/** Who the visitor is, as far as the page proves it. Proofs live in memory alone. */
import { parseJson, toObject, toText } from '../api/decode-values.ts';
import type { ContactProof } from '../../contract/wire.ts';

/** A proof, or a function that fetches one from the site's server; null or undefined for nobody. */
export type Contact = ContactProof | null | undefined | (() => Promise<ContactProof | null | undefined>);

export interface Identified {
  proof: ContactProof;
  /** SHA-256 of the user's id, hexadecimal. */
  owner: string;
}

const encoder = new TextEncoder();

export const digest = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)));

/** The user's id in a proof: the token's `sub` (the contract's "Authentication", 6), read without verifying it. */
const userId = (proof: ContactProof): string => {
  if (!('token' in proof)) return toText(proof.user_id);
  const payload = proof.token.split('.')[1] ?? '';
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  return toText(toObject(parseJson(new TextDecoder().decode(bytes)))['sub']);
};

/**
 * The proof that the page gives now, with its owner; null for nobody.
 * @throws {Error} When the page's function fails, or the proof is none.
 */
export const identify = async (contact: Contact): Promise<Identified | null> => {
  const given = typeof contact === 'function' ? await contact() : contact;
  if (!given) return null;
  // Only these members travel, whatever else the page's object holds.
  const proof = 'token' in given ? { token: given.token } : { user_id: given.user_id, user_hash: given.user_hash };
  const id = userId(proof);
  if (!id) throw new Error('The contact names no user: give {token} with a `sub`, or {user_id, user_hash}.');
  const owner = Array.from(await digest(id), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { proof, owner };
};
