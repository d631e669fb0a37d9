/**
 * The demo wallet: what `npm start` gives a browser that has no wallet of its own. The server puts this script into the page where
 * a demo and its devnet are, and nowhere else (server/workspace/dev-wallet.ts); no build of the panel has it. To the panel it is an
 * extension like any: it announces itself by EIP-6963 and WBIP004, and its signatures are checked like anybody's.
 */
import { announceEvm } from './evm.ts';
import { offerBitcoin } from './bitcoin.ts';

announceEvm();
offerBitcoin();
