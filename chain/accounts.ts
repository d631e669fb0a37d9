import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { HDKey, hdKeyToAccount, type HDAccount } from 'viem/accounts';

/** Anvil's default, publicly known. */
export const devnetMnemonic = 'test test test test test test test test test test test junk';

let rootKey: HDKey | undefined;
/** Cached, because the seed is the slowest part of an account. */
const getRootKey = () => (rootKey ??= HDKey.fromMasterSeed(pbkdf2(sha512, devnetMnemonic, 'mnemonic', { c: 2048, dkLen: 64 })));

/** Roles: deploy.ts. */
export const getDevnetAccount = (addressIndex: number): HDAccount => hdKeyToAccount(getRootKey(), { addressIndex });
