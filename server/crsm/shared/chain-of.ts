import { perServer } from '../../platform/services/context.ts';
import { crsmChain } from '../chain.ts';

export const crsmChainOf = perServer(({ config, stopping }) => config.evm && crsmChain(config.evm, { signal: stopping }));
