import { encodeAbiParameters, keccak256, type Hex } from 'viem';

/** What YBTC knows a deposit by. `txid` as Bitcoin shows it, without 0x. */
export const depositHash = (network: string, txid: string, vout: number): Hex =>
  keccak256(encodeAbiParameters([{ type: 'string' }, { type: 'bytes32' }, { type: 'uint32' }], [network, `0x${txid}`, vout]));
