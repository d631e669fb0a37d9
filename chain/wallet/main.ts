/**
 * A browser wallet for demos. The server injects it only beside its own devnet (server/dev/wallet.ts), and no build
 * contains it. It uses EIP-6963 and WBIP004 like any extension, and its signatures are checked like any other.
 */
import { announceEvmProviders } from './evm.ts';
import { registerBitcoinProviders } from './bitcoin.ts';

announceEvmProviders();
registerBitcoinProviders();
