import { integerOf } from '../../api/integers.ts';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { devDeposits } from './shared/demo-bitcoin.ts';
import type { Config } from '../platform/core/config.ts';
import { appError } from '../platform/core/errors.ts';
import type { RawRoute } from '../platform/http/raw-routes.ts';

const genesis = 860_000;
const genesisMs = Date.UTC(2024, 8, 7);
const blockMs = 600_000;

/** `height` null: unconfirmed. */
interface DevOutput {
  txid: string;
  outputs: readonly { address: string; value: number }[];
  height: number | null;
}

const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const blockHashAt = (height: number) => `0000000000${sha(`block ${height}`).slice(10)}`;

/**
 * Demo Bitcoin behind an Esplora API (`config.demo` only): a block every ten minutes, or on request. Manual payments persist in
 * `file` if there is one.
 */
function devBitcoin(file: string | null, startedAt: readonly DevOutput[]) {
  const stored = readStoredOutputs(file);
  const byHand = [...stored.transactions];
  const transactions = new Map([...startedAt, ...byHand].map((transaction) => [transaction.txid, transaction]));
  const spent = new Set(stored.spent);
  let { extra } = stored;
  const save = () => {
    if (file === null) return;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ transactions: byHand, spent: [...spent], extra } satisfies StoredOutputs));
  };
  const tip = (now: number) => genesis + Math.floor((now - genesisMs) / blockMs) + extra;
  return {
    tip,
    add: (transaction: DevOutput) => {
      transactions.set(transaction.txid, transaction);
      byHand.push(transaction);
      save();
    },
    paidTo: (address: string) =>
      [...transactions.values()].flatMap(({ txid, outputs, height }) =>
        height === null
          ? []
          : outputs.flatMap((output) => (output.address === address ? [{ value: output.value, spent: spent.has(txid) }] : [])),
      ),
    get: (txid: string) => transactions.get(txid) ?? null,
    spend: (txid: string) => {
      spent.add(txid);
      save();
    },
    isSpent: (txid: string) => spent.has(txid),
    mine: (blocks: number) => {
      extra += blocks;
      save();
    },
  };
}

interface StoredOutputs {
  transactions: readonly DevOutput[];
  spent: readonly string[];
  extra: number;
}

function readStoredOutputs(file: string | null): StoredOutputs {
  if (file === null || !existsSync(file)) return { transactions: [], spent: [], extra: 0 };
  return JSON.parse(readFileSync(file, 'utf8')) as StoredOutputs;
}

export const bitcoinFile = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'bitcoin.json');

function countOf(part: string | undefined): number {
  if (!part || !/^\d{1,9}$/.test(part)) throw appError('NOT_FOUND');
  return integerOf(part);
}

function statsOf(outputs: readonly { value: number; spent: boolean }[]) {
  const sumOf = (some: typeof outputs) => some.reduce((sum, { value }) => sum + value, 0);
  const spent = outputs.filter((output) => output.spent);
  return {
    funded_txo_count: outputs.length,
    funded_txo_sum: sumOf(outputs),
    spent_txo_count: spent.length,
    spent_txo_sum: sumOf(spent),
  };
}

/** Esplora's routes, and three to add transactions, spend outputs and mine blocks. */
export function devBitcoinRoutes(config: Config): RawRoute[] {
  const { demo, bitcoinNetwork, qaTools } = config;
  if (!demo) return [];
  const startedAt = devDeposits(bitcoinNetwork).map(({ txid, coboAddress, amount, seen }) => ({
    txid,
    outputs: [{ address: coboAddress, value: integerOf(seen?.amount ?? amount) }],
    height: seen?.isInBlock === false ? null : genesis,
  }));
  const bitcoin = devBitcoin(qaTools ? bitcoinFile(config) : null, startedAt);
  const meta = { public: true } as const;
  const text = (body: string) => new Response(body, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
  return [
    {
      method: 'GET',
      path: '/dev/bitcoin/blocks/tip/height',
      meta,
      handle: ({ context }) => text(String(bitcoin.tip(context.services.now()))),
    },
    {
      method: 'GET',
      path: '/dev/bitcoin/block-height/:height',
      meta,
      handle: ({ params, context }) => {
        const height = countOf(params['height']);
        if (height > bitcoin.tip(context.services.now())) throw appError('NOT_FOUND');
        return text(blockHashAt(height));
      },
    },
    {
      method: 'GET',
      path: '/dev/bitcoin/tx/:txid',
      meta,
      handle: ({ params }) => {
        const found = bitcoin.get(params['txid'] ?? '');
        if (!found) throw appError('NOT_FOUND');
        const { txid, outputs, height } = found;
        const block =
          height === null
            ? { confirmed: false }
            : {
                confirmed: true,
                block_height: height,
                block_hash: blockHashAt(height),
                block_time: (genesisMs + (height - genesis) * blockMs) / 1000,
              };
        const vout = outputs.map(({ address, value }) => ({ scriptpubkey_address: address, value }));
        return Response.json({ txid, version: 2, locktime: 0, vin: [{ is_coinbase: false }], vout, status: block });
      },
    },
    {
      method: 'GET',
      path: '/dev/bitcoin/tx/:txid/outspend/:vout',
      meta,
      handle: ({ params }) => {
        const found = bitcoin.get(params['txid'] ?? '');
        if (!found?.outputs[countOf(params['vout'])]) throw appError('NOT_FOUND');
        return Response.json({ spent: bitcoin.isSpent(found.txid) });
      },
    },
    {
      method: 'GET',
      path: '/dev/bitcoin/address/:address',
      meta,
      handle: ({ params }) => {
        const { address = '' } = params;
        return Response.json({ address, chain_stats: statsOf(bitcoin.paidTo(address)) });
      },
    },
    {
      method: 'POST',
      path: '/dev/bitcoin/spend/:txid',
      meta,
      handle: ({ params }) => {
        bitcoin.spend(params['txid'] ?? '');
        return text('ok');
      },
    },
    {
      method: 'POST',
      path: '/dev/bitcoin/blocks/:count',
      meta,
      handle: ({ params }) => {
        bitcoin.mine(Math.min(1000, Math.max(0, countOf(params['count']))));
        return text('ok');
      },
    },
    {
      // In the next block: /dev/bitcoin/pay/<txid>/<address>/<satoshi>
      method: 'POST',
      path: '/dev/bitcoin/pay/:txid/:address/:value',
      meta,
      handle: ({ params, context }) => {
        const { txid = '', address = '', value = '' } = params;
        if (!/^[0-9a-f]{64}$/.test(txid) || !/^[a-zA-Z0-9]{14,90}$/.test(address) || !/^\d{1,16}$/.test(value))
          throw appError('NOT_FOUND');
        bitcoin.mine(1);
        bitcoin.add({ txid, outputs: [{ address, value: integerOf(value) }], height: bitcoin.tip(context.services.now()) });
        return text('ok');
      },
    },
  ];
}
