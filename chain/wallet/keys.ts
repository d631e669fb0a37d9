/** The keys of the demo wallet and what signs with them: loaded when one is first connected, since it is large and most pages need none. */
import { createWalletClient, custom, RpcRequestError, type Hex } from 'viem';
import { foundry } from 'viem/chains';
import { devnetAccount } from '../accounts.ts';
import { askNode } from './node.ts';

export { demoTaproot } from './taproot.ts';

/** What a page gives for `eth_sendTransaction`, as JSON-RPC has it. */
export interface Sent {
  from: string;
  to: Hex;
  data?: Hex;
  value?: Hex;
  /** The most that it may take; without it, what it takes now. */
  gas?: Hex;
}

/** An account of the devnet by its number (../deploy.ts): its address, and its way to sign and send. */
export function devnetWallet(number: number) {
  const account = devnetAccount(number);
  const wallet = createWalletClient({ account, chain: foundry, transport: custom({ request: askNode }) });
  return {
    address: account.address,
    send: ({ to, data, value, gas }: Sent) =>
      wallet
        .sendTransaction({ to, ...(data && { data }), ...(gas && { gas: BigInt(gas) }), value: BigInt(value ?? 0) })
        .catch((error: unknown) => {
          // As the node put it: the panel reads the contract's own reason from it.
          throw (error instanceof Error && 'walk' in error && Reflect.apply(error.walk as never, error, [isRpc])) || error;
        }),
  };
}

const isRpc = (error: unknown): boolean => error instanceof RpcRequestError;
