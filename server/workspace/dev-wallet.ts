import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Config } from '../platform/core/config.ts';
import { failure } from '../platform/core/errors.ts';
import type { PlainRoute } from '../platform/http/raw-routes.ts';

/** What a wallet asks of a chain: to read, and to send what is signed. Nothing that anvil signs or changes by itself. */
const methods = new Set([
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getCode',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_sendRawTransaction',
]);

/** The wallet, and what it asks for from beside itself when one of its keys is first needed. */
const isOfWallet = (file: string) => /^demo-wallet(-[a-z\d]+)?\.js$/.test(file);
const built = (file: string) => fileURLToPath(new URL(`../../.cache/server/${file}`, import.meta.url));

/** Where the page finds the demo wallet (chain/wallet/main.ts); null where none may be, which is everywhere but beside the own devnet. */
export const demoWalletUrl = ({ demoWallet, evm, bitcoinNetwork }: Config): string | null =>
  demoWallet && evm ? `/dev/wallet/demo-wallet.js?network=${bitcoinNetwork}` : null;

/** The demo wallet, and its way to the devnet. Where `config.demoWallet` is not, there are no such routes. */
export function devWalletRoutes(config: Config): PlainRoute[] {
  const { evm } = config;
  if (!config.demoWallet || !evm) return [];
  return [
    {
      method: 'GET',
      path: '/dev/wallet/:file',
      meta: { public: true },
      handle: ({ params: { file = '' } }) => {
        if (!isOfWallet(file) || !existsSync(built(file))) throw failure('NOT_FOUND');
        return new Response(readFileSync(built(file)), {
          headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-store' },
        });
      },
    },
    {
      method: 'POST',
      path: '/dev/rpc',
      meta: { public: true },
      handle: async ({ request }) => {
        const asked: unknown = await request.json().catch(() => null);
        const method: unknown = typeof asked === 'object' && asked !== null && 'method' in asked ? asked.method : null;
        if (typeof method !== 'string' || !methods.has(method)) throw failure('FORBIDDEN');
        const answer = await fetch(evm.urls[0], {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(asked),
        });
        return Response.json(await answer.json());
      },
    },
  ];
}
