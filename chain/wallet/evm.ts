import type { Hex } from 'viem';
import type { Sent } from './keys.ts';
import { askNode, problem, type Asked } from './node.ts';
import { connected, keepConnected, nameOf } from './notice.ts';

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
      info: { uuid: crypto.randomUUID(), name: nameOf(zh, en), icon: 'data:image/svg+xml,', rdns: `demo.${id}` },
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
  const accounts = async () => (connected.has(id) ? [(await wallet()).address] : []);
  const answers: Record<string, (params: never) => unknown> = {
    eth_requestAccounts: () => {
      keepConnected(id, true);
      return accounts();
    },
    eth_accounts: accounts,
    wallet_requestPermissions: () => [{ parentCapability: 'eth_accounts' }],
    wallet_revokePermissions: () => {
      keepConnected(id, false);
      return null;
    },
    wallet_switchEthereumChain: ([{ chainId }]: [{ chainId: Hex }]) => {
      if (Number(chainId) !== devnetChainId) throw problem(4902, 'Only the devnet of this machine.');
      return null;
    },
    wallet_addEthereumChain: () => {
      throw problem(4200, 'Only the devnet of this machine.');
    },
    eth_sendTransaction: async ([sent]: [Sent]) => {
      const [own] = await accounts();
      if (own === undefined || sent.from.toLowerCase() !== own.toLowerCase()) throw problem(4100, 'Unknown account.');
      return (await wallet()).send(sent);
    },
  };
  return {
    request: async ({ method, params }: Asked): Promise<unknown> => {
      const answer = answers[method];
      return answer ? answer(params as never) : askNode({ method, params });
    },
    on: () => {}, // account and chain never change
    removeListener: () => {},
  };
}
