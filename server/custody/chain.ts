import { failure } from '../platform/core/errors.ts';
import { on } from '../platform/http/router.ts';

export const chain = {
  get: on.chain.get.handler(({ context: { services } }) => {
    const { evm, devnet, bitcoinExplorer, evmExplorer } = services.config;
    if (!evm) throw failure('UNAVAILABLE');
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
