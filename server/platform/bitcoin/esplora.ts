import * as z from 'zod';
import { describeError } from '../core/log.ts';

/** What one source says of an output; `height` and `blockHash` are null while it is unconfirmed. */
export interface SeenOutput {
  address: string | null;
  value: bigint;
  confirmations: number;
  height: number | null;
  blockHash: string | null;
  coinbase: boolean;
  /** By any transaction, also one that no block has yet. */
  spent: boolean;
}

export type Seen =
  | { state: 'found'; output: SeenOutput }
  | { state: 'noOutput' } // the transaction is there, the output is not
  | { state: 'missing' } // this source does not know the transaction; another may
  | { state: 'unreachable'; reason: string };

const status = z.object({
  confirmed: z.boolean(),
  block_height: z.int().nonnegative().optional(),
  block_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});
const transaction = z.object({
  txid: z.string().regex(/^[0-9a-f]{64}$/),
  vin: z.array(z.object({ is_coinbase: z.boolean().optional() })).max(100_000),
  vout: z.array(z.object({ scriptpubkey_address: z.string().max(200).optional(), value: z.int().nonnegative() })).max(100_000),
  status,
});

const outspend = z.object({ spent: z.boolean() });

const timeoutMs = 5_000;
const mostBytes = 4_000_000;

/** Reads an output through an Esplora API. Never throws: what went wrong is part of what was seen. */
export async function seeOutput(base: string, txid: string, vout: number): Promise<Seen> {
  try {
    const answer = await get(`${base}/tx/${txid}`);
    if (answer === null) return { state: 'missing' };
    const { txid: same, vin, vout: outputs, status: block } = transaction.parse(JSON.parse(answer));
    if (same !== txid) return { state: 'unreachable', reason: 'the source answered with another transaction' };
    const output = outputs[vout];
    if (!output) return { state: 'noOutput' };
    const height = block.confirmed ? (block.block_height ?? null) : null;
    const seen = {
      address: output.scriptpubkey_address ?? null,
      value: BigInt(output.value),
      coinbase: vin.some((from) => from.is_coinbase),
      spent: outspend.parse(JSON.parse((await get(`${base}/tx/${txid}/outspend/${vout}`)) ?? '')).spent,
    };
    if (height === null) return { state: 'found', output: { ...seen, confirmations: 0, height, blockHash: null } };
    const tip = await tipHeight(base);
    // The block the transaction names must be the one at its height: else it is of a branch that is left.
    const best = (await get(`${base}/block-height/${height}`))?.trim() ?? null;
    const isBest = best !== null && best === block.block_hash;
    const confirmations = isBest ? Math.max(0, tip - height + 1) : 0;
    return { state: 'found', output: { ...seen, confirmations, height, blockHash: isBest ? best : null } };
  } catch (error) {
    return { state: 'unreachable', reason: describeError(error).message.slice(0, 200) };
  }
}

/** Of an address, at a source's newest block. */
export interface SeenBalance {
  /** Satoshi in outputs that no transaction in a block has spent. */
  unspent: bigint;
  /** How many outputs in blocks ever paid to it, and how many were spent: two sources that agree on these have seen the same. */
  funded: number;
  spent: number;
}

const count = z.int().nonnegative();
const addressStats = z.object({
  address: z.string(),
  chain_stats: z.object({ funded_txo_count: count, funded_txo_sum: count, spent_txo_count: count, spent_txo_sum: count }),
});

/** The newest block of a source. Throws where it does not answer. */
export async function seeTip(base: string): Promise<{ height: number; hash: string }> {
  const height = await tipHeight(base);
  const hash = (await get(`${base}/block-height/${height}`))?.trim() ?? '';
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error('the source has no block at its own height');
  return { height, hash };
}

const tipHeight = async (base: string): Promise<number> =>
  z.coerce
    .number()
    .int()
    .nonnegative()
    .parse(await get(`${base}/blocks/tip/height`));

/** What a source has of an address. Throws where it does not answer, or with something else. */
export async function seeBalance(base: string, address: string): Promise<SeenBalance> {
  const answer = addressStats.parse(JSON.parse((await get(`${base}/address/${address}`)) ?? ''));
  if (answer.address !== address) throw new Error('the source answered for another address');
  const { funded_txo_count: funded, funded_txo_sum, spent_txo_count: spent, spent_txo_sum } = answer.chain_stats;
  if (spent > funded || spent_txo_sum > funded_txo_sum) throw new Error('the source reports more spent than received');
  return { unspent: BigInt(funded_txo_sum) - BigInt(spent_txo_sum), funded, spent };
}

/** The text at an address of the configured source; null for 404. */
async function get(url: string): Promise<string | null> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`status ${response.status}`);
  const reader = response.body?.getReader();
  let bytes = 0;
  const chunks: Uint8Array[] = [];
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done || !value) break;
    bytes += value.byteLength;
    if (bytes > mostBytes) throw new Error('the response is too large');
    chunks.push(value);
  }
  return Buffer.concat(chunks).toString('utf8');
}
