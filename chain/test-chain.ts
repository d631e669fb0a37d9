import { setTimeout as sleep } from 'node:timers/promises';
import { createTestClient, createWalletClient, http, publicActions, type HDAccount, type Transport } from 'viem';
import { foundry } from 'viem/chains';
import { startAnvil } from './anvil.ts';
import { deployOnDevnet } from './deploy.ts';

/** Only transactions make blocks, and `as` waits for them. */
export async function startTestChain() {
  const anvil = await startAnvil();
  await deployOnDevnet(anvil.url);
  const transport = minedTransport(anvil.url);
  // A cached block number could be outdated.
  const live = { pollingInterval: 20, cacheTime: 0 };
  const client = createTestClient({ mode: 'anvil', chain: foundry, transport, ...live }).extend(publicActions);
  return {
    ...anvil,
    client,
    as: (account: HDAccount) => createWalletClient({ account, chain: foundry, transport }).extend(publicActions),
  };
}

export type TestChain = Awaited<ReturnType<typeof startTestChain>>;

/** Waits until a sent transaction is mined, because anvil responds earlier. Not with manual mining. */
function minedTransport(url: string): Transport {
  return (options) => {
    const inner = http(url)(options);
    const request = async (call: { method: string; params?: unknown }): Promise<unknown> => {
      const answer: unknown = await inner.request(call as never);
      if (call.method !== 'eth_sendRawTransaction' || !(await inner.request({ method: 'anvil_getAutomine' } as never)))
        return answer;
      while (!(await inner.request({ method: 'eth_getTransactionReceipt', params: [answer] } as never))) await sleep(5);
      return answer;
    };
    return { ...inner, request: request as typeof inner.request };
  };
}
