/** Resolves a host and checks that it is public, so that no request reaches a private network. */
import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';

export interface Address {
  address: string;
  family: 4 | 6;
}

export type UnusableHost = 'private_address' | 'unresolved';

/**
 * Returns the address of a host, or why no request may be sent there. Connect to the returned address: a second lookup
 * could return another one (DNS rebinding).
 */
export const resolveHost = async (url: URL, allowLoopback: boolean): Promise<Address | UnusableHost> => {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const found = await lookup(host, { all: true, verbatim: true }).catch(() => []);
  const [first] = found;
  if (!first) return 'unresolved';
  const allowed = found.every(({ address }) => isPublic(address) || (allowLoopback && isLoopback(address)));
  return allowed ? { address: first.address, family: first.family === 6 ? 6 : 4 } : 'private_address';
};

/** The only IPv6 addresses that are assigned for the internet. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');
/** Parts of it for special purposes that the library does not know. */
const specialRanges = ['2001::/23', '2002::/16', '3ffe::/16', '3fff::/20', '5f00::/16'].map((range) =>
  ipaddr.parseCIDR(range),
);

export const isPublic = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed.match(globalUnicast) && !specialRanges.some((range) => parsed.match(range)));
};

const isLoopback = (address: string): boolean => {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
};
