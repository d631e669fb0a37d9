import * as z from 'zod/mini';
import { route } from '../base.ts';

/** The EVM chain everything stands on, as a wallet has to know it. */
export const evmChainInfo = z.object({
  chainId: z.int(),
  name: z.string(),
  /** Where anybody may read it: what a wallet is told that does not know the chain. Null: it has to. */
  rpcUrl: z.nullable(z.string()),
  /** Block explorers, for people: `/tx/…` and `/address/…` under each. Null: there is none. */
  explorers: z.object({ bitcoin: z.nullable(z.string()), evm: z.nullable(z.string()) }),
  /** EIP-55 addresses, from the server's configuration. */
  contracts: z.object({
    ybtc: z.string(),
    custodyBridge: z.string(),
    yu: z.string(),
    troveManager: z.string(),
    stabilityPool: z.string(),
    /** Null: this deployment has no CRSMs. */
    crsmFactory: z.nullable(z.string()),
  }),
});
export type EvmChainInfo = z.infer<typeof evmChainInfo>;

export const chain = {
  /** UNAVAILABLE where no chain is configured. */
  get: route.meta({ signedIn: true }).route({ method: 'GET', path: '/chain' }).output(evmChainInfo),
};
