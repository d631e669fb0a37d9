import { toSafeInteger } from '../../api/integers.ts';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createDevDeposits } from './shared/demo-bitcoin.ts';
import type { Config } from '../platform/core/config.ts';
import { createAppError } from '../platform/core/errors.ts';
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

const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex');
const blockHashAt = (height: number) => `0000000000${sha256Hex(`block ${height}`).slice(10)}`;

/**
 * Demo Bitcoin behind an Esplora API (`config.demo` only): a block every ten minutes, or on request. Manual payments persist in
 * `file` if there is one.
 */
function createDevBitcoin(file: string | null, initialOutputs: readonly DevOutput[]) {
  const storedOutputs = readStoredOutputs(file);
  const extraTransactions = [...storedOutputs.transactions];
  const transactions = new Map([...initialOutputs, ...extraTransactions].map((transaction) => [transaction.txid, transaction]));
  const spentTxids = new Set(storedOutputs.spent);
  let { extra } = storedOutputs;
  const saveOutputs = () => {
    if (file === null) return;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      JSON.stringify({ transactions: extraTransactions, spent: [...spentTxids], extra } satisfies StoredOutputs),
    );
  };
  const tip = (now: number) => genesis + Math.floor((now - genesisMs) / blockMs) + extra;
  return {
    tip,
    add: (transaction: DevOutput) => {
      transactions.set(transaction.txid, transaction);
      extraTransactions.push(transaction);
      saveOutputs();
    },
    paidTo: (address: string) =>
      [...transactions.values()].flatMap(({ txid, outputs, height }) =>
        height === null
          ? []
          : outputs.flatMap((output) =>
              output.address === address ? [{ value: output.value, spent: spentTxids.has(txid) }] : [],
            ),
      ),
    get: (txid: string) => transactions.get(txid) ?? null,
    spend: (txid: string) => {
      spentTxids.add(txid);
      saveOutputs();
    },
    isSpent: (txid: string) => spentTxids.has(txid),
    mine: (blocks: number) => {
      extra += blocks;
      saveOutputs();
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

function parseCount(pathPart: string | undefined): number {
  if (!pathPart || !/^\d{1,9}$/.test(pathPart)) throw createAppError('NOT_FOUND');
  return toSafeInteger(pathPart);
}

function createStats(outputs: readonly { value: number; spent: boolean }[]) {
  const sumValues = (selectedOutputs: typeof outputs) => selectedOutputs.reduce((sum, { value }) => sum + value, 0);
  const spentOutputs = outputs.filter((output) => output.spent);
  return {
    funded_txo_count: outputs.length,
    funded_txo_sum: sumValues(outputs),
    spent_txo_count: spentOutputs.length,
    spent_txo_sum: sumValues(spentOutputs),
  };
}

/** Esplora's routes, and three to add transactions, spend outputs and mine blocks. */
export function devBitcoinRoutes(config: Config): RawRoute[] {
  const { demo, bitcoinNetwork, qaTools } = config;
  if (!demo) return [];
  const initialOutputs = createDevDeposits(bitcoinNetwork).map(({ txid, coboAddress, amount, seen }) => ({
    txid,
    outputs: [{ address: coboAddress, value: toSafeInteger(seen?.amount ?? amount) }],
    height: seen?.isInBlock === false ? null : genesis,
  }));
  const bitcoin = createDevBitcoin(qaTools ? bitcoinFile(config) : null, initialOutputs);
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
        const height = parseCount(params['height']);
        if (height > bitcoin.tip(context.services.now())) throw createAppError('NOT_FOUND');
        return text(blockHashAt(height));
      },
    },
    {
      method: 'GET',
      path: '/dev/bitcoin/tx/:txid',
      meta,
      handle: ({ params }) => {
        const transaction = bitcoin.get(params['txid'] ?? '');
        if (!transaction) throw createAppError('NOT_FOUND');
        const { txid, outputs, height } = transaction;
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
        const transaction = bitcoin.get(params['txid'] ?? '');
        if (!transaction?.outputs[parseCount(params['vout'])]) throw createAppError('NOT_FOUND');
        return Response.json({ spent: bitcoin.isSpent(transaction.txid) });
      },
    },
    {
      method: 'GET',
      path: '/dev/bitcoin/address/:address',
      meta,
      handle: ({ params }) => {
        const { address = '' } = params;
        return Response.json({ address, chain_stats: createStats(bitcoin.paidTo(address)) });
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
        bitcoin.mine(Math.min(1000, Math.max(0, parseCount(params['count']))));
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
          throw createAppError('NOT_FOUND');
        bitcoin.mine(1);
        bitcoin.add({ txid, outputs: [{ address, value: toSafeInteger(value) }], height: bitcoin.tip(context.services.now()) });
        return text('ok');
      },
    },
  ];
}
