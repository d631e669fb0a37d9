import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface Peer {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string | undefined } };
}

/**
 * One entry from the right per own proxy. Clients can forge the rest. An entry that is no address is unknown: with the proxy's own
 * address, everyone would be in the proxy's network.
 */
export function readClientIp(headers: Headers, peer: Peer | undefined, trustProxy: number): string {
  const directAddress = canonicalizeIp(peer?.incoming?.socket?.remoteAddress ?? '') ?? unknownIp;
  if (trustProxy === 0) return directAddress;
  const forwardedAddresses = (headers.get('x-forwarded-for') ?? '').split(',').map((part) => part.trim());
  const forwardedAddress = forwardedAddresses.at(-trustProxy) ?? '';
  return forwardedAddress === '' ? directAddress : (canonicalizeIp(withoutPort(forwardedAddress)) ?? unknownIp);
}

const unknownIp = 'unknown';

/** Some proxies add the port of the client. */
const withoutPort = (address: string): string =>
  /^(\d+(?:\.\d+){3}):\d{1,5}$/.exec(address)?.[1] ?? /^\[([^\]]+)\](?::\d{1,5})?$/.exec(address)?.[1] ?? address;

function canonicalizeIp(address: string): string | null {
  if (isIPv4(address)) return address; // IPv4 has one spelling
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : null;
}

/** IPv4 address or IPv6 /64, which one subscriber has. */
export function getNetwork(ip: string): string {
  if (!ipaddr.IPv6.isValid(ip)) return ip;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${ip}/64`).toString()}/64`;
}
