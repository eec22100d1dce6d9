/**
 * Checks the form of an identity token before any key is used. Libraries decode base64url tolerantly and keep the last of
 * two members with the same name, so one token could be read in two ways.
 */
import { isDeeperThan, maxJsonDepth } from '../core/json-shape.ts';

const parts = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;

/** Returns whether a token is a canonical JWT for HS256, without members that are present twice. */
export const isStrictToken = (token: string): boolean => {
  const found = parts.exec(token);
  if (!found) return false;
  const [, header, payload, signature] = found as unknown as [string, string, string, string];
  if (![header, payload, signature].every(isCanonical)) return false;
  const [head, claims] = [uniqueMembers(header), uniqueMembers(payload)];
  return head?.['alg'] === 'HS256' && claims !== undefined;
};

/** The unused bits at the end of base64url text are zero, and there is no padding. */
const isCanonical = (text: string): boolean => Buffer.from(text, 'base64url').toString('base64url') === text;

/** Parses a JSON object. Returns undefined when it is none, or when two members of an object in it have the same name. */
const uniqueMembers = (encoded: string): Record<string, unknown> | undefined => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64url'));
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    if (isDeeperThan(maxJsonDepth, value) || writtenMembers(text) !== parsedMembers(value)) return undefined;
    return value as Record<string, unknown>;
  } catch {
    return undefined;
  }
};

/** Counts the members of all objects in a valid JSON text: each has a colon outside of the strings. */
const writtenMembers = (text: string): number => text.replace(/"(?:[^"\\]|\\.)*"/g, '').split(':').length - 1;

const parsedMembers = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const within = Object.values(value).reduce<number>((sum, each) => sum + parsedMembers(each), 0);
  return within + (Array.isArray(value) ? 0 : Object.keys(value).length);
};
