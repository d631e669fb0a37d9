import { mnemonicToAccount, type HDAccount } from 'viem/accounts';

/** Of the accounts every anvil has. Public knowledge: worth nothing anywhere else. */
export const devnetMnemonic = 'test test test test test test test test test test test junk';

/** An account of the devnet; who is who stands in deploy.ts. */
export const devnetAccount = (addressIndex: number): HDAccount => mnemonicToAccount(devnetMnemonic, { addressIndex });
