import { Address, NETWORK, TEST_NETWORK } from '@scure/btc-signer';
import type { BitcoinNetwork } from '../../api/wallet.ts';

const parameters = {
  mainnet: NETWORK,
  testnet: TEST_NETWORK,
  signet: TEST_NETWORK,
  regtest: { ...TEST_NETWORK, bech32: 'bcrt' },
} as const satisfies Record<BitcoinNetwork, unknown>;

/** The address in its one spelling (bech32 in lower case), or null when it is none of the network, or mistyped. */
export function parseBitcoinAddress(text: string, network: BitcoinNetwork): string | null {
  const typed = text.trim();
  const isBech32 = new RegExp(`^${parameters[network].bech32}1`, 'i').test(typed);
  if (isBech32 && typed !== typed.toLowerCase() && typed !== typed.toUpperCase()) return null; // BIP-173: never mixed
  const spelled = isBech32 ? typed.toLowerCase() : typed;
  try {
    Address(parameters[network]).decode(spelled);
    return spelled;
  } catch {
    return null;
  }
}
