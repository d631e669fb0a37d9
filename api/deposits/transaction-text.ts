import { toSafeInteger } from '../integers.ts';
import type { BitcoinNetwork } from '../access/wallet.ts';

/** `vout` and `network` are null where the text doesn't say them. */
export interface TransactionText {
  readonly txid: string;
  readonly vout: number | null;
  readonly network: BitcoinNetwork | null;
}

/** Reads a txid, an output (`txid:1`) or a link of a block explorer. Null: not exactly one transaction. */
export function parseTransactionText(input: string): TransactionText | null {
  const text = input.trim().slice(0, 1000);
  const txidMatches = [...text.matchAll(/(?<![0-9a-zA-Z])(?:0x)?([0-9a-fA-F]{64})(?![0-9a-zA-Z])/g)];
  const [match] = txidMatches;
  const txid = match?.[1]?.toLowerCase();
  if (!match || txid === undefined || txidMatches.some(([, otherTxid]) => otherTxid?.toLowerCase() !== txid)) return null;
  const [prefix, suffix] = [text.slice(0, match.index), text.slice(match.index + match[0].length)];
  // Other text around the transaction may name another output.
  const isLink = /^(https?:\/\/)?[\w.-]+(:\d+)?\/[\w./#-]*$/i.test(prefix);
  if (prefix !== '' && !isLink) return null;
  const vout = /^(?::|\?output[:=]|[?#&](?:.*&)?vout=)(\d{1,9})$/i.exec(suffix)?.[1];
  if (vout === undefined && !/^(?:$|[/?#])/.test(suffix)) return null;
  return { txid, vout: vout === undefined ? null : toSafeInteger(vout), network: isLink ? detectNetworkOfLink(prefix) : null };
}

/** Explorers name every network but mainnet in the path or in the name of the host. */
function detectNetworkOfLink(link: string): BitcoinNetwork | null {
  if (/(^|[/.])signet[/.]/i.test(link)) return 'signet';
  if (/(^|[/.])testnet[34]?[/.]/i.test(link)) return 'testnet';
  if (/(^|[/.])regtest[/.]/i.test(link)) return 'regtest';
  return /^(https?:\/\/)?(www\.)?(mempool\.space|blockstream\.info)\//i.test(link) ? 'mainnet' : null;
}
