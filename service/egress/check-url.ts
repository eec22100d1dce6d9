/** Rejects URLs that no request may be sent to (the contract's "POST /webhooks rules"). */
import { invalid } from '../core/errors.ts';
import { resolveHost } from './address.ts';
import { urlProblem, type UrlProblem } from './url-rules.ts';

const lookupTimeoutMs = 8000;

const messages: Record<UrlProblem, string> = {
  url_not_https: 'The URL must use https.',
  url_userinfo: 'Leave the user name and password out of the URL.',
  url_port: 'The port must be 443 or 8443.',
};

/** @throws {ApiError} `validation_error` with the reason for the field. */
export const requirePublicUrl = async (address: string, allowLoopback: boolean, field = 'url'): Promise<void> => {
  if (!URL.canParse(address)) throw invalid(field, 'url_invalid', 'Not a URL.');
  const url = new URL(address);
  const problem = urlProblem(url, allowLoopback);
  if (problem) throw invalid(field, problem, messages[problem]);
  const host = await resolveHost(url, allowLoopback, AbortSignal.timeout(lookupTimeoutMs));
  if (host === 'unresolved' || host === 'timeout')
    throw invalid(field, 'url_unresolved', 'The host name has no address.');
  if (host === 'private_address') throw invalid(field, 'url_private', 'The host is not public.');
};
