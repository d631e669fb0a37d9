import type { Hex } from 'viem';
import type { TransactionRequest } from './keys.ts';
import { requestNode, providerError, type WalletRequest } from './node.ts';
import { connectedWallets, rememberConnected, walletName } from './notice.ts';

/** Institutions of the demo, and one without deposits. Numbers: ../deploy.ts. */
const owners = [
  ...[1, 2, 3, 4, 5].map((number) => ({ number: number + 1, zh: `机构 ${number}`, en: `institution ${number}` })),
  { number: 7, zh: '借款人', en: 'borrower' },
];

/** Anvil's default. */
const devnetChainId = 31_337;

/** EIP-6963, one wallet per account. */
export function announceEvm(): void {
  const details = owners.map(({ number, zh, en }) => {
    const id = `evm${number}`;
    return {
      info: { uuid: crypto.randomUUID(), name: walletName(zh, en), icon: 'data:image/svg+xml,', rdns: `demo.${id}` },
      provider: providerOf(number, id),
    };
  });
  const announce = () => {
    for (const detail of details) dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze(detail) }));
  };
  addEventListener('eip6963:requestProvider', announce);
  announce();
}

/** EIP-1193. */
function providerOf(number: number, id: string) {
  const wallet = async () => (await import('./keys.ts')).devnetWallet(number);
  const accounts = async () => (connectedWallets.has(id) ? [(await wallet()).address] : []);
  const answers: Record<string, (params: never) => unknown> = {
    eth_requestAccounts: () => {
      rememberConnected(id, true);
      return accounts();
    },
    eth_accounts: accounts,
    wallet_requestPermissions: () => [{ parentCapability: 'eth_accounts' }],
    wallet_revokePermissions: () => {
      rememberConnected(id, false);
      return null;
    },
    wallet_switchEthereumChain: ([{ chainId }]: [{ chainId: Hex }]) => {
      if (Number(chainId) !== devnetChainId) throw providerError(4902, 'Only the devnet of this machine.');
      return null;
    },
    wallet_addEthereumChain: () => {
      throw providerError(4200, 'Only the devnet of this machine.');
    },
    eth_sendTransaction: async ([sent]: [TransactionRequest]) => {
      const [own] = await accounts();
      if (own === undefined || sent.from.toLowerCase() !== own.toLowerCase()) throw providerError(4100, 'Unknown account.');
      return (await wallet()).send(sent);
    },
  };
  return {
    request: async ({ method, params }: WalletRequest): Promise<unknown> => {
      const answer = answers[method];
      return answer ? answer(params as never) : requestNode({ method, params });
    },
    on: () => {}, // account and chain never change
    removeListener: () => {},
  };
}
