import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The network of a CIDR text or of a single address, without host bits, as PostgreSQL stores it. Null if it is neither. */
export function canonicalNetwork(text: string): string | null {
  const [address = '', length, ...rest] = text.split('/');
  if (rest.length > 0 || !ipaddr.isValid(address) || (length !== undefined && !/^\d{1,3}$/.test(length))) return null;
  const parsed = ipaddr.parse(address);
  const isMapped = parsed.kind() === 'ipv6' && (parsed as ipaddr.IPv6).isIPv4MappedAddress();
  const shown = ipaddr.process(address);
  const bits = shown.kind() === 'ipv4' ? 32 : 128;
  const prefix = length === undefined ? bits : Number(length) - (isMapped ? 96 : 0);
  // ipaddr.js also reads 0x7f.1, and 010.0.0.1 as octal.
  if (prefix < 0 || prefix > bits || (bits === 32 && !isMapped && !isIPv4(address))) return null;
  const range = `${shown.toString()}/${prefix}`;
  const network = bits === 32 ? ipaddr.IPv4.networkAddressFromCIDR(range) : ipaddr.IPv6.networkAddressFromCIDR(range);
  return `${network.toString()}/${prefix}`;
}
