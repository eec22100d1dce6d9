/** Reads the visitor's proof of identity. Proofs are kept in memory only. */
import { toBase64Url, toHex } from '../api/encoding.ts';
import { parseJson, toObject, toText } from '../api/decode-values.ts';
import type { ContactProof } from '../../contract/wire.ts';

/** A proof of identity, or a function that requests one from the site's server. Null or undefined means anonymous. */
export type Contact = ContactProof | null | undefined | (() => Promise<ContactProof | null | undefined>);

export interface Identified {
  proof: ContactProof;
  /** The user's id. It is never stored. */
  userId: string;
  /** The SHA-256 of the user's id, in hexadecimal, or a checksum on a page without TLS. */
  owner: string;
}

/** Whether the page has the browser's cryptography: it is missing on pages without TLS. */
export const hasHashes = (): boolean => Boolean(globalThis.crypto?.subtle);

let isReported = false;

/** Says once, in the console, that a page has no secure context. */
export const reportMissingHashes = (): void => {
  if (isReported) return;
  isReported = true;
  console.warn(
    'workspace-chat: this page has no secure context (HTTPS), so the browser has no SHA-256. The chat works, but the replies of your team do not arrive through the relay.',
  );
};

/**
 * Replaces the SHA-256 of a user's id on a page without TLS (FNV-1a, twice). It distinguishes the users of one browser, and
 * protects nothing: neither is a page protected without TLS, nor does the browser verify a proof.
 */
const checksum = (text: string): string => {
  const sums = [0x811c9dc5, 0xcbf29ce4];
  for (const byte of new TextEncoder().encode(text))
    for (const [index, sum] of sums.entries()) sums[index] = Math.imul(sum ^ byte, 0x01000193 + 2 * index) >>> 0;
  return `fnv-${sums.map((sum) => sum.toString(16).padStart(8, '0')).join('')}`;
};

/** Returns the owner of a conversation for a user's id. See `Identified`. */
const ownerOf = async (userId: string): Promise<string> => {
  if (hasHashes()) return toHex(await digest(userId));
  reportMissingHashes();
  return checksum(userId);
};

const digest = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));

/** Returns the proof of a conversation for the site's own backend: a hash of its token, which itself is sent to the API only. */
export const proofOf = async (token: string): Promise<string> => toBase64Url(await digest(token));

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
  // Asynchronously, because the function may itself change the contact.
  const given = typeof contact === 'function' ? await Promise.resolve().then(contact) : contact;
  if (!given) return null;
  // Send only these members: the page's object may hold others.
  const proof = 'token' in given ? { token: given.token } : { user_id: given.user_id, user_hash: given.user_hash };
  const userId = userIdOf(proof);
  if (!userId) throw new Error('The contact names no user: give {token} with a `sub`, or {user_id, user_hash}.');
  const owner = await ownerOf(userId);
  return { proof, userId, owner };
};
