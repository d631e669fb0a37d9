import { createTestClient, createWalletClient, http, publicActions, type HDAccount } from 'viem';
import { foundry } from 'viem/chains';
import { startAnvil } from './anvil.ts';
import { deployOnDevnet } from './deploy.ts';

/** A devnet of a test's own, with the contracts on it: blocks come with transactions alone. */
export async function startTestChain() {
  const anvil = await startAnvil();
  await deployOnDevnet(anvil.url);
  const transport = http(anvil.url);
  const client = createTestClient({ mode: 'anvil', chain: foundry, transport, pollingInterval: 20 }).extend(publicActions);
  return {
    ...anvil,
    client,
    as: (account: HDAccount) => createWalletClient({ account, chain: foundry, transport }).extend(publicActions),
  };
}

export type TestChain = Awaited<ReturnType<typeof startTestChain>>;
