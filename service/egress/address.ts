/** Which hosts this service may speak to: those everybody can reach, never what lies behind it. */
import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';

export interface Address {
  address: string;
  family: 4 | 6;
}

export type Unreachable = 'private_address' | 'unresolved';

/** Where a host really is, or why nothing is sent there. The answer is what is connected to: it is not looked up twice. */
export const reachable = async (url: URL, allowLoopback: boolean): Promise<Address | Unreachable> => {
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
