/** Resolves a host and checks that it is public, so that no request reaches a private network. */
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';

export type UnusableHost = 'private_address' | 'unresolved' | 'timeout';

/** Returns the host of a URL. The URL has an IPv6 address in brackets. */
export const hostnameOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/**
 * Returns the addresses of a host, or why no request may be sent there. Connect to the returned addresses: a second
 * lookup could return others (DNS rebinding).
 */
export const resolveHost = async (
  url: URL,
  allowLoopback: boolean,
  signal: AbortSignal,
): Promise<LookupAddress[] | UnusableHost> => {
  // A lookup cannot be canceled, so its result is ignored after the timeout.
  const lookedUp = lookup(hostnameOf(url), { all: true, verbatim: true }).catch(() => []);
  const found = await Promise.race([lookedUp, aborted(signal)]);
  if (found === 'timeout') return found;
  if (found.length === 0) return 'unresolved';
  const allowed = found.every(({ address }) => isPublic(address) || (allowLoopback && isLoopback(address)));
  return allowed ? found : 'private_address';
};

const aborted = (signal: AbortSignal): Promise<'timeout'> => {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('timeout');
    signal.addEventListener('abort', () => resolve('timeout'), { once: true });
  });
};

/** The only IPv6 addresses that are assigned for the internet. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');
/** Parts of it for special purposes that the library does not know. */
const specialRanges = ['2001::/23', '2002::/16', '3ffe::/16', '3fff::/20', '5f00::/16'].map((range) =>
  ipaddr.parseCIDR(range),
);

/** Public addresses that a cloud uses inside: the metadata and agents of virtual machines at Azure. */
const cloudAddresses = new Set(['168.63.129.16']);

export const isPublic = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast' || cloudAddresses.has(parsed.toString())) return false;
  return (
    parsed.kind() === 'ipv4' || (parsed.match(globalUnicast) && !specialRanges.some((range) => parsed.match(range)))
  );
};

const isLoopback = (address: string): boolean => {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
};
