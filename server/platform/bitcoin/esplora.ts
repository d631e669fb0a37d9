import * as z from 'zod';
import { toSafeInteger } from '../../../api/integers.ts';
import { readCause, fetchText } from '../core/bounded-fetch.ts';
import { describeError } from '../core/log.ts';
import { redactShort } from '../core/redact.ts';

/** One source's view. `height` and `blockHash` are null while unconfirmed. */
export interface BitcoinOutput {
  address: string | null;
  value: bigint;
  confirmations: number;
  height: number | null;
  blockHash: string | null;
  coinbase: boolean;
  /** Includes unconfirmed spends. */
  spent: boolean;
}

export type OutputLookup =
  | { state: 'found'; output: BitcoinOutput }
  | { state: 'noOutput' } // the transaction exists, the output does not
  | { state: 'missing' } // another source may know the transaction
  | { state: 'unreachable'; reason: string };

const statusSchema = z.object({
  confirmed: z.boolean(),
  block_height: z.int().positive().optional(),
  block_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});
const transactionSchema = z.object({
  txid: z.string().regex(/^[0-9a-f]{64}$/),
  vin: z.array(z.object({ is_coinbase: z.boolean().optional() })).max(100_000),
  vout: z.array(z.object({ scriptpubkey_address: z.string().max(200).optional(), value: z.int().nonnegative() })).max(100_000),
  status: statusSchema,
});

const outspendSchema = z.object({ spent: z.boolean() });

const timeoutMs = 5_000;
/** For all requests of one question. */
const totalTimeoutMs = 8_000;
const maxBytes = 4_000_000;

/** Never throws: errors are part of the result. */
export async function fetchOutput(baseUrl: string, txid: string, vout: number, signal?: AbortSignal): Promise<OutputLookup> {
  const source = openSource(baseUrl, signal);
  try {
    const foundTransaction = await findTransaction(source, txid);
    if (foundTransaction === null) return { state: 'missing' };
    const { vin, vout: outputs, status: block } = foundTransaction;
    const output = outputs[vout];
    if (!output) return { state: 'noOutput' };
    const height = confirmedHeightOf(block);
    const [outspend, isBestText, tipHeight] = await Promise.all([
      source.requireFound(`tx/${txid}/outspend/${vout}`, 'outspend (does its backend have an address index?)'),
      height === null ? null : source.requireFound(`block-height/${height}`, `block at height ${height}`),
      height === null ? null : fetchTipHeight(source),
    ]);
    const outputFields = {
      address: output.scriptpubkey_address ?? null,
      value: BigInt(output.value),
      coinbase: vin.some((input) => input.is_coinbase),
      spent: parseResponse(outspendSchema, outspend, 'outspend').spent,
    };
    if (height === null || isBestText === null || tipHeight === null)
      return { state: 'found', output: { ...outputFields, confirmations: 0, height, blockHash: null } };
    // Otherwise the transaction's block was reorged out.
    const isBest = parseBlockHash(isBestText) === block.block_hash;
    const confirmations = isBest ? Math.max(0, tipHeight - height + 1) : 0;
    return { state: 'found', output: { ...outputFields, confirmations, height, blockHash: isBest ? isBestText : null } };
  } catch (error) {
    return { state: 'unreachable', reason: describeErrorReason(error) };
  }
}

export type BitcoinTransaction =
  | { state: 'found'; outputs: readonly { address: string | null; value: bigint }[]; isMined: boolean }
  | { state: 'missing' }
  | { state: 'unreachable'; reason: string };

/** Never throws: errors are part of the result. */
export async function fetchTransaction(baseUrl: string, txid: string, signal?: AbortSignal): Promise<BitcoinTransaction> {
  try {
    const foundTransaction = await findTransaction(openSource(baseUrl, signal), txid);
    if (foundTransaction === null) return { state: 'missing' };
    const outputs = foundTransaction.vout.map(({ scriptpubkey_address: address = null, value }) => ({
      address,
      value: BigInt(value),
    }));
    return { state: 'found', outputs, isMined: confirmedHeightOf(foundTransaction.status) !== null };
  } catch (error) {
    return { state: 'unreachable', reason: describeErrorReason(error) };
  }
}

/** Null: unknown to the source. */
async function findTransaction(source: Source, txid: string): Promise<z.infer<typeof transactionSchema> | null> {
  const responseText = await source.find(`tx/${txid}`, 'transaction');
  if (responseText === null) return null;
  const foundTransaction = parseResponse(transactionSchema, responseText, 'transaction');
  if (foundTransaction.txid !== txid) throw new SourceError('the source answered with another transaction');
  return foundTransaction;
}

/** Null while unconfirmed. */
function confirmedHeightOf({ confirmed, block_height: height, block_hash: hash }: z.infer<typeof statusSchema>): number | null {
  if (!confirmed) return null;
  if (height === undefined || hash === undefined) throw new SourceError('no block of a confirmed transaction');
  return height;
}

export const describeErrorReason = (error: unknown): string => redactShort(describeError(error).message, 200);

class SourceError extends Error {
  override name = 'SourceError';
}

interface Source {
  /** Null for 404. Throws SourceError about `description`. */
  find(path: string, description: string): Promise<string | null>;
  /** Throws on 404 and on an empty response. */
  requireFound(path: string, description: string): Promise<string>;
}

function openSource(baseUrl: string, signal?: AbortSignal): Source {
  const deadline = performance.now() + totalTimeoutMs;
  const fetchOrNull = async (path: string, description: string): Promise<string | null> => {
    const remainingMs = Math.max(1, Math.min(timeoutMs, Math.round(deadline - performance.now())));
    const { status, text } = await fetchText(`${baseUrl}/${path}`, { timeoutMs: remainingMs, maxBytes, signal }).catch(
      (error: unknown) => {
        throw new SourceError(`no ${description}: ${describeErrorReason(readCause(error))}`);
      },
    );
    if (status === 404) return null;
    if (status < 200 || status > 299) throw new SourceError(`no ${description}: status ${status}`);
    return text.trim();
  };
  return {
    find: fetchOrNull,
    async requireFound(path, description) {
      const text = await fetchOrNull(path, description);
      if (text === null) throw new SourceError(`no ${description}: status 404`);
      if (text === '') throw new SourceError(`no ${description}: the response is empty`);
      return text;
    },
  };
}

function parseResponse<T>(schema: z.ZodType<T>, text: string, description: string): T {
  if (text === '') throw new SourceError(`no ${description}: the response is empty`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new SourceError(`no ${description}: the response is not JSON`);
  }
  const { success, data, error } = schema.safeParse(value);
  if (!success)
    throw new SourceError(`no ${description}: ${error.issues[0]?.path.join('.') || 'the response'} is missing or wrong`);
  return data;
}

function parseBlockHash(text: string): string {
  if (!/^[0-9a-f]{64}$/.test(text)) throw new SourceError('no block hash at a height');
  return text;
}

async function fetchTipHeight(source: Source): Promise<number> {
  const text = await source.requireFound('blocks/tip/height', 'tip height');
  // No usable source is at block 0.
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new SourceError('no tip height: the response isn’t a block height');
  return toSafeInteger(text);
}

export interface BitcoinBalance {
  /** Satoshi in confirmed unspent outputs. */
  unspent: bigint;
  /** Counts of confirmed outputs. Sources with equal counts have seen the same. */
  funded: number;
  spent: number;
}

const countSchema = z.int().nonnegative();
const addressStats = z.object({
  address: z.string(),
  chain_stats: z.object({
    funded_txo_count: countSchema,
    funded_txo_sum: countSchema,
    spent_txo_count: countSchema,
    spent_txo_sum: countSchema,
  }),
});

export async function fetchTip(baseUrl: string, signal?: AbortSignal): Promise<{ height: number; hash: string }> {
  const source = openSource(baseUrl, signal);
  const height = await fetchTipHeight(source);
  return { height, hash: parseBlockHash(await source.requireFound(`block-height/${height}`, `block at height ${height}`)) };
}

export async function fetchBalance(baseUrl: string, address: string, signal?: AbortSignal): Promise<BitcoinBalance> {
  const text = await openSource(baseUrl, signal).requireFound(`address/${address}`, `balance of ${address}`);
  const responseText = parseResponse(addressStats, text, `balance of ${address}`);
  if (responseText.address !== address) throw new SourceError('the source answered for another address');
  const { funded_txo_count: funded, funded_txo_sum, spent_txo_count: spent, spent_txo_sum } = responseText.chain_stats;
  if (spent > funded || spent_txo_sum > funded_txo_sum)
    throw new SourceError(`the source reports more spent from ${address} than received`);
  return { unspent: BigInt(funded_txo_sum) - BigInt(spent_txo_sum), funded, spent };
}
