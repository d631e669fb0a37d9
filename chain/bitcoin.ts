import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { NETWORK, OutScript, TEST_NETWORK, Transaction } from '@scure/btc-signer';
import type { BitcoinNetwork } from '../api/access/wallet.ts';

export const bitcoinParameters = {
  mainnet: NETWORK,
  testnet: TEST_NETWORK,
  signet: TEST_NETWORK,
  regtest: { ...TEST_NETWORK, bech32: 'bcrt' },
} as const satisfies Record<BitcoinNetwork, unknown>;

/** BIP-341 hash of `to_sign`, which spends `to_spend` (BIP-322, "Full"). `key` is x-only. */
export function computeMessageSighash(key: Uint8Array, message: string, hashType: number): Uint8Array {
  const script = OutScript.encode({ type: 'tr', pubkey: key });
  return createToSignTransaction(createToSpendTransaction(script, message)).preimageWitnessV1(0, [script], hashType, [0n]);
}

/** `script`: of the address. */
export function createToSpendTransaction(script: Uint8Array, message: string): Transaction {
  const transaction = createVirtualTransaction();
  transaction.addOutput({ script, amount: 0n });
  transaction.addInput({
    txid: new Uint8Array(32),
    index: 0xffff_ffff,
    sequence: 0,
    finalScriptSig: concatBytes(Uint8Array.of(0x00, 0x20), hashMessage(message)),
  });
  return transaction;
}

export function createToSignTransaction(toSpendTransaction: Transaction): Transaction {
  const transaction = createVirtualTransaction();
  transaction.addOutput({ script: Uint8Array.of(0x6a), amount: 0n }); // OP_RETURN
  transaction.addInput({ txid: toSpendTransaction.id, index: 0, sequence: 0 });
  return transaction;
}

const createVirtualTransaction = () => new Transaction({ version: 0, lockTime: 0, allowUnknownOutputs: true });

/** BIP-340 tagged hash. */
export function hashMessage(message: string): Uint8Array {
  const tag = sha256(utf8ToBytes('BIP0322-signed-message'));
  return sha256(concatBytes(tag, tag, utf8ToBytes(message)));
}
