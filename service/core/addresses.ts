/** The one form of an e-mail address, however it was typed or copied. */
import { domainToASCII } from 'node:url';
import { withoutInvisible } from '../../contract/characters.ts';

/**
 * Returns an address without invisible characters, in NFC, with its domain in ASCII: letters that look the same are the same. The
 * case of ASCII letters stays.
 */
export const normalizedEmail = (email: string): string => {
  const address = withoutInvisible(email).normalize('NFC');
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  const isAscii = Buffer.byteLength(domain) === domain.length;
  return at === 0 || isAscii ? address : address.slice(0, at) + (domainToASCII(domain) || domain);
};
