import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What the adapter passes along with a request; of it only the socket's address is used. */
export interface Peer {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string | undefined } };
}

/**
 * The address of whoever calls. Only as many entries of X-Forwarded-For as there are proxies of ours count,
 * from the right: what stands left of them anybody can write.
 */
export function clientIp(headers: Headers, peer: Peer | undefined, trustProxy: number): string {
  const direct = spelled(peer?.incoming?.socket?.remoteAddress ?? '') ?? 'unknown';
  if (trustProxy === 0) return direct;
  const forwarded = (headers.get('x-forwarded-for') ?? '').split(',').map((part) => part.trim());
  return spelled(forwarded.at(-trustProxy) ?? '') ?? direct;
}

function spelled(address: string): string | null {
  if (isIPv4(address)) return address; // has but one spelling
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : null;
}

/** What counts as one place for throttling: an IPv4 address, or the /64 that one subscriber of IPv6 has. */
export function networkOf(ip: string): string {
  if (!ipaddr.IPv6.isValid(ip)) return ip;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${ip}/64`).toString()}/64`;
}
