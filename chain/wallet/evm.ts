import type { Hex } from 'viem';
import type { TransactionRequest } from './keys.ts';
import { requestNode, createProviderError, type WalletRequest } from './node.ts';
import { connectedWallets, setConnected, formatWalletName } from './notice.ts';

/** Institutions of the demo, and one without deposits. Numbers: ../deploy.ts. */
const demoOwners = [
  ...[1, 2, 3, 4, 5].map((number) => ({ number: number + 1, zh: `机构 ${number}`, en: `institution ${number}` })),
  { number: 7, zh: '借款人', en: 'borrower' },
];

/** Anvil's default. */
const devnetChainId = 31_337;

/** EIP-6963, one wallet per account. */
export function announceEvmProviders(): void {
  const providerDetails = demoOwners.map(({ number, zh, en }) => {
    const id = `evm${number}`;
    return {
      info: { uuid: crypto.randomUUID(), name: formatWalletName(zh, en), icon: 'data:image/svg+xml,', rdns: `demo.${id}` },
      provider: createProvider(number, id),
    };
  });
  const announceProviders = () => {
    for (const providerDetail of providerDetails)
      dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze(providerDetail) }));
  };
  addEventListener('eip6963:requestProvider', announceProviders);
  announceProviders();
}

/** EIP-1193. */
function createProvider(number: number, id: string) {
  const loadWallet = async () => (await import('./keys.ts')).createDevnetWallet(number);
  const readAccounts = async () => (connectedWallets.has(id) ? [(await loadWallet()).address] : []);
  const methodHandlers: Record<string, (params: never) => unknown> = {
    eth_requestAccounts: () => {
      setConnected(id, true);
      return readAccounts();
    },
    eth_accounts: readAccounts,
    wallet_requestPermissions: () => [{ parentCapability: 'eth_accounts' }],
    wallet_revokePermissions: () => {
      setConnected(id, false);
      return null;
    },
    wallet_switchEthereumChain: ([{ chainId }]: [{ chainId: Hex }]) => {
      if (Number(chainId) !== devnetChainId) throw createProviderError(4902, 'Only the devnet of this machine.');
      return null;
    },
    wallet_addEthereumChain: () => {
      throw createProviderError(4200, 'Only the devnet of this machine.');
    },
    eth_sendTransaction: async ([transaction]: [TransactionRequest]) => {
      const [connectedAddress] = await readAccounts();
      if (connectedAddress === undefined || transaction.from.toLowerCase() !== connectedAddress.toLowerCase())
        throw createProviderError(4100, 'Unknown account.');
      return (await loadWallet()).send(transaction);
    },
  };
  return {
    request: async ({ method, params }: WalletRequest): Promise<unknown> => {
      const methodHandler = methodHandlers[method];
      return methodHandler ? methodHandler(params as never) : requestNode({ method, params });
    },
    on: () => {}, // account and chain never change
    removeListener: () => {},
  };
}
