/** Encodes bytes as hexadecimal or base64url text, and values as JSON. */
import type { JsonObject } from '../../contract/wire.ts';

/** @example toHex(Uint8Array.of(1, 255)); // '01ff' */
export const toHex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Encodes bytes in base64url without padding. */
export const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** Serializes a value. Arrays are written as arrays even if the page defines `Array.prototype.toJSON`, as Prototype.js does. */
export const toJson = (value: unknown): string =>
  // The function receives what `toJSON` has returned. The value itself is still in its holder.
  // oxlint-disable-next-line no-restricted-properties
  JSON.stringify(value, function (this: JsonObject, key, converted: unknown) {
    const original = this[key];
    return Array.isArray(original) ? original : converted;
  });
