import { splitNetworks } from '../../api/access/network-text.ts';
import { createFieldError } from '../platform/core/errors.ts';
import { canonicalNetwork } from '../platform/http/cidr.ts';

export const maxNetworks = 50;

/** CIDR texts in canonical form. Throws BAD_REQUEST. */
export function parseNetworks(text: string): string[] {
  const networks = splitNetworks(text).map((part) => {
    const network = canonicalNetwork(part);
    if (network === null) throw createFieldError('networks', 'network');
    return network;
  });
  if (networks.length > maxNetworks) throw createFieldError('networks', 'tooMany');
  return [...new Set(networks)];
}
