/** Rejects URLs that no request may be sent to (the contract's "POST /webhooks rules"). */
import { invalid } from '../core/errors.ts';
import { resolveHost } from './address.ts';

/** @throws {ApiError} `validation_error` with the reason for the field. */
export const requirePublicUrl = async (address: string, allowLoopback: boolean, field = 'url'): Promise<void> => {
  if (!URL.canParse(address)) throw invalid(field, 'url_invalid', 'Not a URL.');
  const url = new URL(address);
  const isOwnMachine = allowLoopback && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !isOwnMachine) throw invalid(field, 'url_not_https', 'The URL must use https.');
  if (url.username !== '' || url.password !== '') {
    throw invalid(field, 'url_userinfo', 'Leave the user name and password out of the URL.');
  }
  if (!['', '443', '8443'].includes(url.port) && !isOwnMachine) {
    throw invalid(field, 'url_port', 'The port must be 443 or 8443.');
  }
  const host = await resolveHost(url, allowLoopback);
  if (host === 'unresolved') throw invalid(field, 'url_unresolved', 'The host name has no address.');
  if (host === 'private_address') throw invalid(field, 'url_private', 'The host is not public.');
};
