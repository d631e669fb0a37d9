import * as z from 'zod';
import { integerOf } from '../../../api/integers.ts';
import { causeOf, fetchText } from '../core/bounded-fetch.ts';
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

const status = z.object({
  confirmed: z.boolean(),
  block_height: z.int().positive().optional(),
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
/** For all requests of one question. */
const wholeMs = 8_000;
const maxBytes = 4_000_000;

/** Never throws: errors are part of the result. */
export async function fetchOutput(base: string, txid: string, vout: number, signal?: AbortSignal): Promise<OutputLookup> {
  const source = openSource(base, signal);
  try {
    const found = await findTransaction(source, txid);
    if (found === null) return { state: 'missing' };
    const { vin, vout: outputs, status: block } = found;
    const output = outputs[vout];
    if (!output) return { state: 'noOutput' };
    const height = heightOf(block);
    const [spending, best, tip] = await Promise.all([
      source.requireFound(`tx/${txid}/outspend/${vout}`, 'outspend (does its backend have an address index?)'),
      height === null ? null : source.requireFound(`block-height/${height}`, `block at height ${height}`),
      height === null ? null : tipHeight(source),
    ]);
    const seen = {
      address: output.scriptpubkey_address ?? null,
      value: BigInt(output.value),
      coinbase: vin.some((from) => from.is_coinbase),
      spent: parsed(outspend, spending, 'outspend').spent,
    };
    if (height === null || best === null || tip === null)
      return { state: 'found', output: { ...seen, confirmations: 0, height, blockHash: null } };
    // Otherwise the transaction's block was reorged out.
    const isBest = blockHash(best) === block.block_hash;
    const confirmations = isBest ? Math.max(0, tip - height + 1) : 0;
    return { state: 'found', output: { ...seen, confirmations, height, blockHash: isBest ? best : null } };
  } catch (error) {
    return { state: 'unreachable', reason: errorReason(error) };
  }
}

export type BitcoinTransaction =
  | { state: 'found'; outputs: readonly { address: string | null; value: bigint }[]; isMined: boolean }
  | { state: 'missing' }
  | { state: 'unreachable'; reason: string };

/** Never throws: errors are part of the result. */
export async function fetchTransaction(base: string, txid: string, signal?: AbortSignal): Promise<BitcoinTransaction> {
  try {
    const found = await findTransaction(openSource(base, signal), txid);
    if (found === null) return { state: 'missing' };
    const outputs = found.vout.map(({ scriptpubkey_address: address = null, value }) => ({ address, value: BigInt(value) }));
    return { state: 'found', outputs, isMined: heightOf(found.status) !== null };
  } catch (error) {
    return { state: 'unreachable', reason: errorReason(error) };
  }
}

/** Null: unknown to the source. */
async function findTransaction(source: Source, txid: string): Promise<z.infer<typeof transaction> | null> {
  const answer = await source.find(`tx/${txid}`, 'transaction');
  if (answer === null) return null;
  const found = parsed(transaction, answer, 'transaction');
  if (found.txid !== txid) throw new SourceError('the source answered with another transaction');
  return found;
}

/** Null while unconfirmed. */
function heightOf({ confirmed, block_height: height, block_hash: hash }: z.infer<typeof status>): number | null {
  if (!confirmed) return null;
  if (height === undefined || hash === undefined) throw new SourceError('no block of a confirmed transaction');
  return height;
}

export const errorReason = (error: unknown): string => redactShort(describeError(error).message, 200);

class SourceError extends Error {
  override name = 'SourceError';
}

interface Source {
  /** Null for 404. Throws SourceError about `what`. */
  find(path: string, what: string): Promise<string | null>;
  /** Throws on 404 and on an empty response. */
  requireFound(path: string, what: string): Promise<string>;
}

function openSource(base: string, signal?: AbortSignal): Source {
  const end = performance.now() + wholeMs;
  const find = async (path: string, what: string): Promise<string | null> => {
    const remainingMs = Math.max(1, Math.min(timeoutMs, Math.round(end - performance.now())));
    const { status, text } = await fetchText(`${base}/${path}`, { timeoutMs: remainingMs, maxBytes, signal }).catch(
      (error: unknown) => {
        throw new SourceError(`no ${what}: ${errorReason(causeOf(error))}`);
      },
    );
    if (status === 404) return null;
    if (status < 200 || status > 299) throw new SourceError(`no ${what}: status ${status}`);
    return text.trim();
  };
  return {
    find,
    async requireFound(path, what) {
      const text = await find(path, what);
      if (text === null) throw new SourceError(`no ${what}: status 404`);
      if (text === '') throw new SourceError(`no ${what}: the response is empty`);
      return text;
    },
  };
}

function parsed<T>(schema: z.ZodType<T>, text: string, what: string): T {
  if (text === '') throw new SourceError(`no ${what}: the response is empty`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new SourceError(`no ${what}: the response is not JSON`);
  }
  const { success, data, error } = schema.safeParse(value);
  if (!success) throw new SourceError(`no ${what}: ${error.issues[0]?.path.join('.') || 'the response'} is missing or wrong`);
  return data;
}

function blockHash(text: string): string {
  if (!/^[0-9a-f]{64}$/.test(text)) throw new SourceError('no block hash at a height');
  return text;
}

async function tipHeight(source: Source): Promise<number> {
  const text = await source.requireFound('blocks/tip/height', 'tip height');
  // No usable source is at block 0.
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new SourceError('no tip height: the response isn’t a block height');
  return integerOf(text);
}

export interface BitcoinBalance {
  /** Satoshi in confirmed unspent outputs. */
  unspent: bigint;
  /** Counts of confirmed outputs. Sources with equal counts have seen the same. */
  funded: number;
  spent: number;
}

const count = z.int().nonnegative();
const addressStats = z.object({
  address: z.string(),
  chain_stats: z.object({ funded_txo_count: count, funded_txo_sum: count, spent_txo_count: count, spent_txo_sum: count }),
});

export async function fetchTip(base: string, signal?: AbortSignal): Promise<{ height: number; hash: string }> {
  const source = openSource(base, signal);
  const height = await tipHeight(source);
  return { height, hash: blockHash(await source.requireFound(`block-height/${height}`, `block at height ${height}`)) };
}

export async function fetchBalance(base: string, address: string, signal?: AbortSignal): Promise<BitcoinBalance> {
  const text = await openSource(base, signal).requireFound(`address/${address}`, `balance of ${address}`);
  const answer = parsed(addressStats, text, `balance of ${address}`);
  if (answer.address !== address) throw new SourceError('the source answered for another address');
  const { funded_txo_count: funded, funded_txo_sum, spent_txo_count: spent, spent_txo_sum } = answer.chain_stats;
  if (spent > funded || spent_txo_sum > funded_txo_sum)
    throw new SourceError(`the source reports more spent from ${address} than received`);
  return { unspent: BigInt(funded_txo_sum) - BigInt(spent_txo_sum), funded, spent };
}
