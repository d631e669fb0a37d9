import { perServer } from '../../platform/core/context.ts';
import { crsmChain } from '../chain.ts';

/** The chain that has CRSMs; null: this server's has none, or there is no chain. */
export const crsmChainOf = perServer(({ config, stopping }) => config.evm && crsmChain(config.evm, { signal: stopping }));
