/**
 * Checks the form of an identity token before any key is used. Libraries decode base64url tolerantly and keep the last of
 * two members with the same name, so one token could be read in two ways.
 */
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

/** Parses a JSON object. Returns undefined when it is none, or when two of its members have the same name. */
const uniqueMembers = (encoded: string): Record<string, unknown> | undefined => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64url'));
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const count = memberCount(text);
    return Object.keys(value).length === count ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
};

/** Counts the members of the outermost object of a valid JSON text. */
const memberCount = (text: string): number => {
  let depth = 0;
  let count = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]/g)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    else if (token === ':' && depth === 1) count++;
  }
  return count;
};
