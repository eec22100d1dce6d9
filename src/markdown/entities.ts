/** Decodes character references: all numeric ones, and the named ones that occur in prose. */

// The full HTML list has 2,125 names and would be larger than the rest of this folder.
const names =
  'amp&lt<gt>quot"apos\'nbsp\u00a0copy©reg®trade™hellip…mdash—ndash–larr←rarr→times×bull•middot·lsquo‘rsquo’ldquo“rdquo”laquo«raquo»zwnj\u200crlm\u200flrm\u200eshy\u00adouml\u00f6auml\u00e4';

const named = new Map([...names.matchAll(/([a-z]+)(.)/gu)].map((match) => [match[1], match[2]]));

const referencePattern = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]\w{0,30}));/gi;

/** Returns U+FFFD for no character, and for the overrides of the writing direction, which could disguise a text. */
const character = (code: number): string => {
  const isOverride = code === 0x202d || code === 0x202e;
  const valid = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) && !isOverride;
  return valid ? String.fromCodePoint(code) : '\ufffd';
};

/** Replaces the character references in `text`. */
export const decodeEntities = (text: string): string => {
  return text.replace(referencePattern, (written: string, decimal?: string, hexadecimal?: string, name?: string) =>
    name ? (named.get(name) ?? written) : character(decimal ? Number(decimal) : Number.parseInt(hexadecimal!, 16)),
  );
};
