/** The address of the caller, also behind proxies that the operator trusts. */
import ipaddr from 'ipaddr.js';
import type { Context } from 'hono';
import type { Environment } from './environment.ts';

export type AddressRange = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** @throws {Error} When a text is neither an address nor a range in CIDR notation. */
export const addressRanges = (texts: string[]): AddressRange[] => {
  return texts.map((text) => {
    const [start = '', bits] = text.split('/');
    // The library also reads “10” as an address, 0.0.0.10.
    const isAddress = ipaddr.IPv4.isValidFourPartDecimal(start) || ipaddr.IPv6.isValid(start);
    if (!isAddress || (bits !== undefined && !ipaddr.isValidCIDR(text))) {
      throw new Error(`TRUST_PROXY: “${text}” is not a range of addresses like 10.0.0.0/8.`);
    }
    const address = ipaddr.parse(start);
    const length = bits === undefined ? (address.kind() === 'ipv4' ? 32 : 128) : Number(bits);
    return asIPv4([address, length]);
  });
};

/** The address of a caller is compared as IPv4, also when it arrives in IPv6 notation. */
const asIPv4 = ([address, bits]: AddressRange): AddressRange => {
  const isMapped = 'isIPv4MappedAddress' in address && address.isIPv4MappedAddress() && bits >= 96;
  return isMapped ? [address.toIPv4Address(), bits - 96] : [address, bits];
};

/**
 * Reads `X-Forwarded-For` from its end, where the nearest proxy adds an address, and returns the first address that is
 * not a trusted proxy. A caller may write anything before that one.
 */
export const callerAddress = (context: Context<Environment>, trusted: AddressRange[]): string => {
  const hops = (context.req.header('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim());
  let address = normalized(context.env?.incoming?.socket?.remoteAddress ?? '');
  while (address !== undefined && isTrusted(address, trusted)) {
    const before = normalized(hops.pop() ?? '');
    if (before === undefined) break;
    address = before;
  }
  return address?.toString() ?? 'local';
};

/**
 * Returns the network of a caller. A provider gives each customer a network of at least 64 bits in IPv6, so one machine has as many
 * addresses as it likes.
 */
export const networkOf = (address: string): string => {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const prefix = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `${prefix.map((part) => part.toString(16)).join(':')}::/64`;
};

/** An IPv4 address in IPv6 notation becomes an IPv4 address. Some proxies add the port. */
const normalized = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined => {
  const address = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return ipaddr.isValid(address) ? ipaddr.process(address) : undefined;
};

const isTrusted = (address: ipaddr.IPv4 | ipaddr.IPv6, trusted: AddressRange[]): boolean => {
  return trusted.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
};
