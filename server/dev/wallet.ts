import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Config } from '../platform/core/config.ts';
import { createAppError } from '../platform/core/errors.ts';
import type { RawRoute } from '../platform/http/raw-routes.ts';

/** Reads and signed transactions. Nothing that anvil signs or changes itself. */
const allowedMethods = new Set([
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

/** The script and its lazily loaded keys. */
const isWalletFile = (file: string) => /^demo-wallet(-[a-z\d]+)?\.js$/.test(file);
const builtFilePath = (file: string) => fileURLToPath(new URL(`../../.cache/server/${file}`, import.meta.url));

/** Null unless the server runs its own devnet. */
export const findDemoWalletUrl = ({ demoWallet, evm, bitcoinNetwork }: Config): string | null =>
  demoWallet && evm ? `/dev/wallet/demo-wallet.js?network=${bitcoinNetwork}` : null;

/** Only with `config.demoWallet`. */
export function devWalletRoutes(config: Config): RawRoute[] {
  const { evm } = config;
  if (!config.demoWallet || !evm) return [];
  return [
    {
      method: 'GET',
      path: '/dev/wallet/:file',
      meta: { public: true },
      handle: ({ params: { file = '' } }) => {
        if (!isWalletFile(file) || !existsSync(builtFilePath(file))) throw createAppError('NOT_FOUND');
        return new Response(readFileSync(builtFilePath(file)), {
          headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-store' },
        });
      },
    },
    {
      method: 'POST',
      path: '/dev/rpc',
      meta: { public: true },
      handle: async ({ request }) => {
        const rpcRequest: unknown = await request.json().catch(() => null);
        const method: unknown =
          typeof rpcRequest === 'object' && rpcRequest !== null && 'method' in rpcRequest ? rpcRequest.method : null;
        if (typeof method !== 'string' || !allowedMethods.has(method)) throw createAppError('FORBIDDEN');
        const response = await fetch(evm.urls[0], {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(rpcRequest),
        });
        return Response.json(await response.json());
      },
    },
  ];
}
