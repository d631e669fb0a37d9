/** Loaded on the first connection, because it is large. */
import { createWalletClient, custom, RpcRequestError, type Hex } from 'viem';
import { foundry } from 'viem/chains';
import { getDevnetAccount } from '../accounts.ts';
import { requestNode } from './node.ts';

export { createDemoTaproot } from './taproot.ts';

export interface TransactionRequest {
  from: string;
  to: Hex;
  data?: Hex;
  value?: Hex;
  /** Default: the estimate. */
  gas?: Hex;
}

export function createDevnetWallet(number: number) {
  const account = getDevnetAccount(number);
  const wallet = createWalletClient({ account, chain: foundry, transport: custom({ request: requestNode }) });
  return {
    address: account.address,
    send: ({ to, data, value, gas }: TransactionRequest) =>
      wallet
        .sendTransaction({ to, ...(data && { data }), ...(gas && { gas: BigInt(gas) }), value: BigInt(value ?? 0) })
        .catch((error: unknown) => {
          // Keeps the node's error, which contains the contract's reason.
          throw (error instanceof Error && 'walk' in error && Reflect.apply(error.walk as never, error, [isRpcError])) || error;
        }),
  };
}

const isRpcError = (error: unknown): boolean => error instanceof RpcRequestError;
