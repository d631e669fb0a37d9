import { setTimeout as sleep } from 'node:timers/promises';
import { createTestClient, createWalletClient, http, publicActions, type HDAccount, type Transport } from 'viem';
import { foundry } from 'viem/chains';
import { startAnvil } from './anvil.ts';
import { deployOnDevnet } from './deploy.ts';

/** Only transactions make blocks, and `as` waits for them. */
export async function startTestChain() {
  const anvil = await startAnvil();
  await deployOnDevnet(anvil.url);
  const transport = createMinedTransport(anvil.url);
  // A cached block number could be outdated.
  const clientOptions = { pollingInterval: 20, cacheTime: 0 };
  const client = createTestClient({ mode: 'anvil', chain: foundry, transport, ...clientOptions }).extend(publicActions);
  return {
    ...anvil,
    client,
    as: (account: HDAccount) => createWalletClient({ account, chain: foundry, transport }).extend(publicActions),
  };
}

export type TestChain = Awaited<ReturnType<typeof startTestChain>>;

/** Waits until a sent transaction is mined, because anvil responds earlier. Not with manual mining. */
function createMinedTransport(url: string): Transport {
  return (options) => {
    const httpTransport = http(url)(options);
    const request = async (rpcRequest: { method: string; params?: unknown }): Promise<unknown> => {
      const rpcResult: unknown = await httpTransport.request(rpcRequest as never);
      if (
        rpcRequest.method !== 'eth_sendRawTransaction' ||
        !(await httpTransport.request({ method: 'anvil_getAutomine' } as never))
      )
        return rpcResult;
      while (!(await httpTransport.request({ method: 'eth_getTransactionReceipt', params: [rpcResult] } as never)))
        await sleep(5);
      return rpcResult;
    };
    return { ...httpTransport, request: request as typeof httpTransport.request };
  };
}
