import type { Config } from '../../platform/core/config.ts';

/** The zero address or a configured contract. */
export function isUnownedAddress(address: string, { evm }: Pick<Config, 'evm'>): boolean {
  const contracts = Object.values(evm?.contracts ?? {}).map((contractAddress) => contractAddress?.toLowerCase());
  return /^0x0{40}$/.test(address) || contracts.includes(address.toLowerCase());
}
