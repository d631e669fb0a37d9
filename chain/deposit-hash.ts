import { encodeAbiParameters, keccak256, type Hex } from 'viem';

/** YBTC's key for a deposit. `txid` without 0x. */
export const depositHash = (network: string, txid: string, vout: number): Hex =>
  keccak256(encodeAbiParameters([{ type: 'string' }, { type: 'bytes32' }, { type: 'uint32' }], [network, `0x${txid}`, vout]));
