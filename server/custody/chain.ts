import { createAppError } from '../platform/core/errors.ts';
import { guardedApi } from '../platform/http/router.ts';

export const chain = {
  get: guardedApi.chain.get.handler(({ context: { services } }) => {
    const { evm, devnet, bitcoinExplorer, evmExplorer } = services.config;
    if (!evm) throw createAppError('UNAVAILABLE');
    const { ybtc, custodyBridge, yu, troveManager, stabilityPool, crsmFactory } = evm.contracts;
    return {
      chainId: evm.chainId,
      name: devnet ? 'Devnet' : `EVM ${evm.chainId}`,
      rpcUrl: devnet ? evm.urls[0] : null, // another chain's may contain a key
      explorers: { bitcoin: bitcoinExplorer, evm: evmExplorer },
      contracts: { ybtc, custodyBridge, yu, troveManager, stabilityPool, crsmFactory },
    };
  }),
};
