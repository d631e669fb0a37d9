import type { Config } from '../../platform/core/config.ts';

/** Whether nobody holds a key of an address (any case): the zero address, and every contract that the server knows. */
export function isNobodys(address: string, { evm }: Pick<Config, 'evm'>): boolean {
  const contracts = Object.values(evm?.contracts ?? {}).map((each) => each?.toLowerCase());
  return /^0x0{40}$/.test(address) || contracts.includes(address.toLowerCase());
}
