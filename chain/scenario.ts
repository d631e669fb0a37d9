import { createPublicClient, createWalletClient, http, parseEther, type Abi, type Address, type HDAccount } from 'viem';
import { foundry } from 'viem/chains';
import { borrowerOperationsAbi } from './abi/borrower-operations.ts';
import { stabilityPoolAbi } from './abi/stability-pool.ts';
import { troveManagerAbi } from './abi/trove-manager.ts';
import { ybtcAbi } from './abi/ybtc.ts';
import { devnetAccounts, devnetContracts } from './deploy.ts';

/** What each of the demo institutions does with two fifths of its YBTC; the last keeps all of it, to withdraw. */
const plans = [
  { percent: 240n, toPool: 60n },
  { percent: 310n, toPool: 35n },
  { percent: 185n, toPool: 80n },
  { percent: 270n, toPool: 0n },
];
const leastCollateral = parseEther('0.1');

/**
 * Opens a trove and fills the stability pool for every demo institution that has YBTC and no trove yet.
 * Answers whether nothing is left to do. Whoever has no YBTC is left alone until it is asked again.
 */
export async function openDemoPositions(url: string): Promise<boolean> {
  const { ybtc, troveManager, borrowerOperations, stabilityPool } = devnetContracts;
  const client = createPublicClient({ chain: foundry, transport: http(url), pollingInterval: 200 });
  const price = await client.readContract({ address: troveManager, abi: troveManagerAbi, functionName: 'fetchPrice' });
  let isDone = true;
  for (const [index, { percent, toPool }] of plans.entries()) {
    const account = devnetAccounts.operators[index];
    if (!account) continue;
    const args = [account.address] as const;
    const troves = await client.readContract({ address: troveManager, abi: troveManagerAbi, functionName: 'balanceOf', args });
    if (troves > 0n) continue;
    isDone = false;
    const balance = await client.readContract({ address: ybtc, abi: ybtcAbi, functionName: 'balanceOf', args });
    const collateral = (balance * 2n) / 5n;
    if (collateral < leastCollateral) continue;
    const debt = (collateral * price * 100n) / percent / parseEther('1') - parseEther('200');
    const call = callsOf(url, account);
    await call(ybtc, ybtcAbi, 'approve', [borrowerOperations, collateral]);
    await call(borrowerOperations, borrowerOperationsAbi, 'openTrove', [troveManager, account.address, collateral, debt]);
    if (toPool > 0n) await call(stabilityPool, stabilityPoolAbi, 'provideToSP', [(debt * toPool) / 100n]);
  }
  return isDone;
}

function callsOf(url: string, account: HDAccount) {
  const transport = http(url);
  const client = createPublicClient({ chain: foundry, transport, pollingInterval: 200 });
  const wallet = createWalletClient({ account, chain: foundry, transport });
  return async (address: Address, abi: Abi, functionName: string, args: unknown[]) => {
    const hash = await wallet.writeContract({ address, abi, functionName, args });
    const { status } = await client.waitForTransactionReceipt({ hash });
    if (status !== 'success') throw new Error(`the devnet refused ${functionName} of ${account.address}`);
  };
}

/** Looks every few seconds whether there is something to do, until there is not or it is stopped. A failure waits for the next look. */
export function startScenario(url: string, everyMs = 8_000): () => Promise<void> {
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(async () => {
      if (!isStopped && (await openDemoPositions(url).catch(() => false))) clearInterval(timer);
    });
  }, everyMs);
  timer.unref();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await running;
  };
}
