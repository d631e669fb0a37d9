import { memoizePerServer } from '../../platform/services/context.ts';
import { crsmChain } from '../chain.ts';

export const crsmChainOf = memoizePerServer(({ config, stopping }) => config.evm && crsmChain(config.evm, { signal: stopping }));
