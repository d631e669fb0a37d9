import type { Address, HDAccount, Hex } from 'viem';
import { afterAll, beforeEach, expect, vi } from 'vitest';
import { borrowerOperationsAbi } from './abi/borrower-operations.ts';
import { priceFeedAbi } from './abi/price-feed.ts';
import { stabilityPoolAbi } from './abi/stability-pool.ts';
import { troveManagerAbi } from './abi/trove-manager.ts';
import { ybtcAbi } from './abi/ybtc.ts';
import { yuAbi } from './abi/yu.ts';
import { devnetAccounts, devnetContracts as at } from './deploy.ts';
import { depositHash } from './deposit-hash.ts';
import { startTestChain } from './test-chain.ts';

interface Trove {
  debt: bigint;
  coll: bigint;
  stake: bigint;
  interest: bigint;
}

export async function startTestProtocol() {
  vi.setConfig({ testTimeout: 60_000 }); // the limit is for hanging processes
  const { deployer, minter } = devnetAccounts;
  const chain = await startTestChain();
  let cleanSnapshotId = await chain.client.snapshot();
  beforeEach(async () => {
    await chain.client.revert({ id: cleanSnapshotId });
    cleanSnapshotId = await chain.client.snapshot();
  });
  afterAll(() => chain.stop());

  async function send(
    account: HDAccount,
    contractCall: { address: Address; abi: readonly unknown[]; functionName: string; args: unknown[] },
  ) {
    const wallet = chain.as(account);
    const { request } = await wallet.simulateContract({ ...contractCall, account, gas: 3_000_000n } as never);
    const receipt = await chain.client.waitForTransactionReceipt({ hash: await wallet.writeContract(request as never) });
    expect(receipt.status).toBe('success');
    return chain.client.getBlock({ blockNumber: receipt.blockNumber });
  }
  const read = <T>(address: Address, abi: readonly unknown[], functionName: string, args: unknown[] = []) =>
    chain.client.readContract({ address, abi, functionName, args } as never) as Promise<T>;

  let mintCount = 0;
  const mint = (to: HDAccount, amount: bigint) =>
    send(minter, {
      address: at.ybtc,
      abi: ybtcAbi,
      functionName: 'mint',
      args: [depositHash('regtest', 'cd'.repeat(32), mintCount++), to.address, amount],
    });

  return {
    chain,
    send,
    read,
    mint,
    ybtcOf: (owner: Address) => read<bigint>(at.ybtc, ybtcAbi, 'balanceOf', [owner]),
    yuOf: (owner: Address) => read<bigint>(at.yu, yuAbi, 'balanceOf', [owner]),
    troveOf: (id: bigint) => read<Trove>(at.troveManager, troveManagerAbi, 'getCurrentTrove', [id]),
    depositOf: (account: HDAccount) =>
      read<bigint>(at.stabilityPool, stabilityPoolAbi, 'getCompoundedDebtDeposit', [account.address]),
    async open(account: HDAccount, collateral: bigint, debt: bigint) {
      await mint(account, collateral);
      await send(account, { address: at.ybtc, abi: ybtcAbi, functionName: 'approve', args: [at.borrowerOperations, collateral] });
      const id = await read<bigint>(at.troveManager, troveManagerAbi, 'nonce');
      const block = await send(account, {
        address: at.borrowerOperations,
        abi: borrowerOperationsAbi,
        functionName: 'openTrove',
        args: [at.troveManager, account.address, collateral, debt],
      });
      return { id, at: block.timestamp };
    },
    price: (value: bigint) =>
      send(deployer, { address: at.priceFeed, abi: priceFeedAbi, functionName: 'setPrice', args: [value] }),
    /** 1e18 for 100 % a year. */
    rate: (value: bigint) =>
      send(deployer, { address: at.troveManager, abi: troveManagerAbi, functionName: 'setInterestRate', args: [value] }),
    provide: (account: HDAccount, amount: bigint) =>
      send(account, { address: at.stabilityPool, abi: stabilityPoolAbi, functionName: 'provideToSP', args: [amount] }),
    liquidate: (account: HDAccount, id: bigint) =>
      send(account, { address: at.troveManager, abi: troveManagerAbi, functionName: 'batchLiquidate', args: [[id]] }),
    /** Estimates use the last block. */
    nextBlock: () => chain.client.mine({ blocks: 1 }),
    async later(seconds: bigint) {
      await chain.client.increaseTime({ seconds: Number(seconds) });
      await chain.client.mine({ blocks: 1 });
    },
    /** Returns the statuses. */
    async inOneBlock(
      account: HDAccount,
      contractCalls: { address: Address; abi: readonly unknown[]; functionName: string; args: unknown[] }[],
    ) {
      await chain.client.setAutomine(false);
      const wallet = chain.as(account);
      const nonce = await chain.client.getTransactionCount({ address: account.address });
      const hashes: Hex[] = [];
      for (const [index, call] of contractCalls.entries())
        hashes.push(await wallet.writeContract({ ...call, gas: 1_000_000n, nonce: nonce + index } as never));
      await chain.client.mine({ blocks: 1 });
      await chain.client.setAutomine(true);
      const receipts = await Promise.all(hashes.map((hash) => chain.client.getTransactionReceipt({ hash })));
      return receipts.map(({ status }) => status);
    },
  };
}
