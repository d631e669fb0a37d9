import * as z from 'zod/mini';
import { route } from '../base.ts';

export const evmChainInfo = z.object({
  chainId: z.int(),
  name: z.string(),
  /** Null: the wallet must know the chain. */
  rpcUrl: z.nullable(z.string()),
  explorers: z.object({ bitcoin: z.nullable(z.string()), evm: z.nullable(z.string()) }),
  contracts: z.object({
    ybtc: z.string(),
    custodyBridge: z.string(),
    yu: z.string(),
    troveManager: z.string(),
    stabilityPool: z.string(),
    crsmFactory: z.nullable(z.string()),
  }),
});
export type EvmChainInfo = z.infer<typeof evmChainInfo>;

export const chain = {
  get: route.meta({ signedIn: true }).route({ method: 'GET', path: '/chain' }).output(evmChainInfo),
};
