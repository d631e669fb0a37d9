import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { HDKey, hdKeyToAccount, type HDAccount } from 'viem/accounts';

/** Of the accounts every anvil has. Public knowledge: worth nothing anywhere else. */
export const devnetMnemonic = 'test test test test test test test test test test test junk';

let root: HDKey | undefined;
/** BIP-39's seed, made once and when it is first asked for: it is most of what an account costs. */
const seeded = () => (root ??= HDKey.fromMasterSeed(pbkdf2(sha512, devnetMnemonic, 'mnemonic', { c: 2048, dkLen: 64 })));

/** An account of the devnet; who is who stands in deploy.ts. */
export const devnetAccount = (addressIndex: number): HDAccount => hdKeyToAccount(seeded(), { addressIndex });
