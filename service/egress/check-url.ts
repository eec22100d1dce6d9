/** Refuses an address that nothing is sent to or fetched from, saying why (the contract's "POST /webhooks rules"). */
import { invalid } from '../core/errors.ts';
import { reachable } from './address.ts';

export const requirePublicUrl = async (address: string, allowLoopback: boolean, field = 'url'): Promise<void> => {
  if (!URL.canParse(address)) throw invalid(field, 'url_invalid', 'Not a URL.');
  const url = new URL(address);
  const own = allowLoopback && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !own) throw invalid(field, 'url_not_https', 'Only https addresses are used.');
  if (url.username !== '' || url.password !== '') {
    throw invalid(field, 'url_userinfo', 'Leave the user name and password out of the URL.');
  }
  if (!['', '443', '8443'].includes(url.port) && !own) {
    throw invalid(field, 'url_port', 'Only ports 443 and 8443 are used.');
  }
  const where = await reachable(url, allowLoopback);
  if (where === 'unresolved') throw invalid(field, 'url_unresolved', 'This host name leads nowhere.');
  if (where === 'private_address') throw invalid(field, 'url_private', 'This host is not a public one.');
};
