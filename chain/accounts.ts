import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { HDKey, hdKeyToAccount, type HDAccount } from 'viem/accounts';

/** Anvil's default, publicly known. */
export const devnetMnemonic = 'test test test test test test test test test test test junk';

let root: HDKey | undefined;
/** Cached, because the seed is the slowest part of an account. */
const seeded = () => (root ??= HDKey.fromMasterSeed(pbkdf2(sha512, devnetMnemonic, 'mnemonic', { c: 2048, dkLen: 64 })));

/** Roles: deploy.ts. */
export const devnetAccount = (addressIndex: number): HDAccount => hdKeyToAccount(seeded(), { addressIndex });
