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

const isPublic = (address: string): boolean => {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
};

const isLoopback = (address: string): boolean => {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
};
