import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPublicClient, createWalletClient, http } from 'viem';
import { foundry } from 'viem/chains';
import { afterAll, expect, test } from 'vitest';
import { ybtcAbi } from './abi/ybtc.ts';
import { startAnvil } from './anvil.ts';
import { deployOnDevnet, devnetAccounts, devnetContracts } from './deploy.ts';
import { depositHash } from './deposit-hash.ts';

const folder = mkdtempSync(join(tmpdir(), 'panel-chain-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readSupply = (url: string) =>
  createPublicClient({ chain: foundry, transport: http(url) }).readContract({
    address: devnetContracts.ybtc,
    abi: ybtcAbi,
    functionName: 'totalSupply',
  });

test('the devnet keeps contracts and balances across a restart, and is set up once', async () => {
  const stateFile = join(folder, 'state.json');
  const firstNode = await startAnvil({ stateFile });
  expect(await deployOnDevnet(firstNode.url)).toBe(true);
  const wallet = createWalletClient({ account: devnetAccounts.minter, chain: foundry, transport: http(firstNode.url) });
  await wallet.writeContract({
    address: devnetContracts.ybtc,
    abi: ybtcAbi,
    functionName: 'mint',
    args: [depositHash('regtest', 'ab'.repeat(32), 0), devnetAccounts.borrower.address, 5n],
  });
  await firstNode.stop();

  const secondNode = await startAnvil({ stateFile });
  expect(await deployOnDevnet(secondNode.url)).toBe(false);
  expect(await readSupply(secondNode.url)).toBe(5n);
  await secondNode.kill();
  await expect(readSupply(secondNode.url)).rejects.toThrow();
}, 60_000);

test('a devnet that lost part of its setup is set up again', async () => {
  const anvil = await startAnvil();
  const wallet = createWalletClient({ account: devnetAccounts.deployer, chain: foundry, transport: http(anvil.url) });
  await wallet.sendTransaction({ to: devnetAccounts.borrower.address, value: 1n });
  expect(await deployOnDevnet(anvil.url)).toBe(true);
  expect(await readSupply(anvil.url)).toBe(0n);
  await anvil.stop();
}, 60_000);
