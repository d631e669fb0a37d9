import { setTimeout as sleep } from 'node:timers/promises';
import { createTestClient, createWalletClient, http, publicActions, type HDAccount, type Transport } from 'viem';
import { foundry } from 'viem/chains';
import { startAnvil } from './anvil.ts';
import { deployOnDevnet } from './deploy.ts';

/** A devnet of a test's own, with the contracts on it: blocks come with transactions alone, and what `as` sent is in one. */
export async function startTestChain() {
  const anvil = await startAnvil();
  await deployOnDevnet(anvil.url);
  const transport = minedTransport(anvil.url);
  // A kept block number would be the one before what another client has just sent.
  const live = { pollingInterval: 20, cacheTime: 0 };
  const client = createTestClient({ mode: 'anvil', chain: foundry, transport, ...live }).extend(publicActions);
  return {
    ...anvil,
    client,
    as: (account: HDAccount) => createWalletClient({ account, chain: foundry, transport }).extend(publicActions),
  };
}

export type TestChain = Awaited<ReturnType<typeof startTestChain>>;

/** HTTP that answers a sent transaction once it is in a block: anvil answers before, and a busy machine makes the gap long. Where blocks are made by hand it does not wait. */
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
