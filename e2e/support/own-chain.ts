import { toHex } from 'viem';
import { devnetChainId, startAnvil, type Anvil } from '../../chain/anvil.ts';
import { deployOnDevnet, devnetAccounts, devnetContracts } from '../../chain/deploy.ts';

export const coboAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

/** Starts on first use. */
export function createOwnChain() {
  let anvilPromise: Promise<Anvil> | null = null;
  async function start(): Promise<Anvil> {
    const anvil = await startAnvil({ blockTime: 1 });
    await deployOnDevnet(anvil.url);
    return anvil;
  }
  const url = async () => (await (anvilPromise ??= start())).url;
  return {
    url,
    serverEnv: async () => {
      const { yu, ybtc, troveManager, stabilityPool, multiTroveGetters, custodyBridge } = devnetContracts;
      return {
        NODE_ENV: 'test', // outside production only a test accepts a minter key with an external chain
        EVM_RPC_URL: await url(),
        EVM_CHAIN_ID: String(devnetChainId),
        YU_ADDRESS: yu,
        YBTC_ADDRESS: ybtc,
        TROVE_MANAGER_ADDRESS: troveManager,
        STABILITY_POOL_ADDRESS: stabilityPool,
        MULTI_TROVE_GETTERS_ADDRESS: multiTroveGetters,
        CUSTODY_BRIDGE_ADDRESS: custodyBridge,
        MINTER_KEY: toHex(devnetAccounts.minter.getHdKey().privateKey ?? new Uint8Array()),
        MINT_DEPTH: '1',
        CUSTODY_ADDRESSES: coboAddress,
      };
    },
    stop: async () => (await anvilPromise)?.stop(),
  };
}
