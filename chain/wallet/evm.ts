import { createWalletClient, custom, RpcRequestError, type Hex } from 'viem';
import type { HDAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { devnetAccount } from '../accounts.ts';
import { connected, keepConnected, nameOf } from './notice.ts';

/** Whose keys it has: the institutions of the demo, and one that has neither deposits nor a position. Numbers as in ../deploy.ts. */
const owners = [
  ...[1, 2, 3, 4, 5].map((number) => ({ account: devnetAccount(number + 1), zh: `机构 ${number}`, en: `institution ${number}` })),
  { account: devnetAccount(7), zh: '借款人', en: 'borrower' },
];

/** Announces each account as a wallet of its own (EIP-6963): which one acts is chosen where any wallet is. */
export function announceEvm(): void {
  const details = owners.map(({ account, zh, en }) => ({
    info: { uuid: crypto.randomUUID(), name: nameOf(zh, en), icon: 'data:image/svg+xml,', rdns: `demo.${account.address}` },
    provider: providerOf(account),
  }));
  const announce = () => {
    for (const detail of details) dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze(detail) }));
  };
  addEventListener('eip6963:requestProvider', announce);
  announce();
}

interface Asked {
  method: string;
  params?: unknown;
}

/** EIP-1193, of one account on one chain. */
function providerOf(account: HDAccount) {
  const wallet = createWalletClient({ account, chain: foundry, transport: custom({ request: askNode }) });
  const { address } = account;
  const accounts = () => (connected.has(address) ? [address] : []);
  const answers: Record<string, (params: never) => unknown> = {
    eth_requestAccounts: () => {
      keepConnected(address, true);
      return accounts();
    },
    eth_accounts: accounts,
    wallet_requestPermissions: () => [{ parentCapability: 'eth_accounts' }],
    wallet_revokePermissions: () => {
      keepConnected(address, false);
      return null;
    },
    wallet_switchEthereumChain: ([{ chainId }]: [{ chainId: Hex }]) => {
      if (Number(chainId) !== foundry.id) throw problem(4902, 'Only the devnet of this machine.');
      return null;
    },
    wallet_addEthereumChain: () => {
      throw problem(4200, 'Only the devnet of this machine.');
    },
    eth_sendTransaction: ([{ from, to, data, value }]: [{ from: string; to: Hex; data?: Hex; value?: Hex }]) => {
      if (!connected.has(address) || from.toLowerCase() !== address.toLowerCase()) throw problem(4100, 'Unknown account.');
      return wallet.sendTransaction({ to, ...(data && { data }), value: BigInt(value ?? 0) }).catch((error: unknown) => {
        // As the node put it: the panel reads the contract's own reason from it.
        throw (error instanceof Error && 'walk' in error && Reflect.apply(error.walk as never, error, [isRpc])) || error;
      });
    },
  };
  return {
    request: async ({ method, params }: Asked): Promise<unknown> => {
      const answer = answers[method];
      return answer ? answer(params as never) : askNode({ method, params });
    },
    on: () => {}, // neither its account nor its chain ever changes
    removeListener: () => {},
  };
}

const isRpc = (error: unknown): boolean => error instanceof RpcRequestError;

const problem = (code: number, message: string, data?: unknown) => Object.assign(new Error(message), { code, data });

/** Asks the devnet, through the server: the page itself reaches no other address. */
async function askNode({ method, params = [] }: Asked): Promise<unknown> {
  const response = await fetch('/dev/rpc', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as {
    result?: unknown;
    error?: { code: number; message: string; data?: unknown };
  };
  if (error) throw problem(error.code, error.message, error.data);
  return result;
}
