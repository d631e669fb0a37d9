import { createPublicClient, createWalletClient, http, parseEther, type Abi, type Address, type HDAccount } from 'viem';
import { foundry } from 'viem/chains';
import { repayFor } from '../api/crsm/values.ts';
import { borrowerOperationsAbi } from './abi/borrower-operations.ts';
import { crsmFactoryAbi } from './abi/crsm-factory.ts';
import { crsmAbi } from './abi/crsm.ts';
import { stabilityPoolAbi } from './abi/stability-pool.ts';
import { troveManagerAbi } from './abi/trove-manager.ts';
import { ybtcAbi } from './abi/ybtc.ts';
import { yuAbi } from './abi/yu.ts';
import { devnetAccounts, devnetContracts } from './deploy.ts';

/** Each plan uses two fifths of the institution's YBTC. The last operator keeps all its YBTC for withdrawals. */
const demoPlans: readonly DemoPlan[] = [
  {
    percent: 240n,
    toPool: 60n,
    // Far from its trigger, with idle YU and a pending reward.
    crsm: { ratios: [150n, 170n, 190n], deposit: 15n, idle: '500', reward: '15', later: [160n, 180n, 200n] },
  },
  // Below its trigger, with enough funds to recover.
  { percent: 165n, toPool: 35n, crsm: { ratios: [170n, 190n, 210n], deposit: 25n } },
  // Repaid once, then set closer to its trigger.
  { percent: 185n, toPool: 70n, crsm: { ratios: [190n, 200n, 210n], deposit: 20n, isRepaid: true, later: [200n, 220n, 240n] } },
  { percent: 270n, toPool: 0n },
];
interface DemoPlan {
  /** Collateral and pool deposit in percent of the debt. */
  percent: bigint;
  toPool: bigint;
  crsm?: {
    /** Percent. */
    ratios: readonly bigint[];
    /** Percent of the debt. Half is set at first. */
    deposit: bigint;
    idle?: string;
    reward?: string;
    isRepaid?: true;
    later?: readonly bigint[];
  };
}
const minCollateral = parseEther('0.1');

/** Skips institutions without YBTC. True: nothing left to do. */
export async function openDemoPositions(url: string): Promise<boolean> {
  const { ybtc, troveManager, borrowerOperations, stabilityPool } = devnetContracts;
  const client = createPublicClient({ chain: foundry, transport: http(url), pollingInterval: 200 });
  const price = await client.readContract({ address: troveManager, abi: troveManagerAbi, functionName: 'fetchPrice' });
  let isComplete = true;
  for (const [index, { percent, toPool }] of demoPlans.entries()) {
    const account = devnetAccounts.operators[index];
    if (!account) continue;
    const args = [account.address] as const;
    const troveCount = await client.readContract({
      address: troveManager,
      abi: troveManagerAbi,
      functionName: 'balanceOf',
      args,
    });
    if (troveCount > 0n) continue;
    isComplete = false;
    const balance = await client.readContract({ address: ybtc, abi: ybtcAbi, functionName: 'balanceOf', args });
    const collateral = (balance * 2n) / 5n;
    if (collateral < minCollateral) continue;
    const debt = (collateral * price * 100n) / percent / parseEther('1') - parseEther('200');
    const call = createContractCaller(url, account);
    await call(ybtc, ybtcAbi, 'approve', [borrowerOperations, collateral]);
    await call(borrowerOperations, borrowerOperationsAbi, 'openTrove', [troveManager, account.address, collateral, debt]);
    if (toPool > 0n) await call(stabilityPool, stabilityPoolAbi, 'provideToSP', [(debt * toPool) / 100n]);
  }
  return isComplete;
}

/** For institutions with a trove. True: nothing left to do. */
export async function openDemoCrsms(url: string): Promise<boolean> {
  const { troveManager, crsmFactory, yu } = devnetContracts;
  const client = createPublicClient({ chain: foundry, transport: http(url), pollingInterval: 200 });
  const factoryContract = { address: crsmFactory, abi: crsmFactoryAbi } as const;
  const troveContract = { address: troveManager, abi: troveManagerAbi } as const;
  let isComplete = true;
  for (const [index, { crsm: plan }] of demoPlans.entries()) {
    const account = devnetAccounts.operators[index];
    if (!account || !plan) continue;
    const owner = account.address;
    if ((await client.readContract({ ...factoryContract, functionName: 'balanceOf', args: [owner] })) > 0n) continue;
    isComplete = false;
    if ((await client.readContract({ ...troveContract, functionName: 'balanceOf', args: [owner] })) === 0n) continue;
    const troveId = await client.readContract({ ...troveContract, functionName: 'tokenOfOwnerByIndex', args: [owner, 0n] });
    const { debt, coll } = await client.readContract({ ...troveContract, functionName: 'getCurrentTrove', args: [troveId] });
    const ratios = plan.ratios.map(percentToWad);
    const halfDeposit = (debt * plan.deposit) / 200n;
    const call = createContractCaller(url, account);
    await call(yu, yuAbi, 'approve', [crsmFactory, halfDeposit * 2n]);
    await call(crsmFactory, crsmFactoryAbi, 'createNewCRSM', [troveManager, troveId, ...ratios, parseEther('10'), halfDeposit]);
    const tokenId = await client.readContract({ ...factoryContract, functionName: 'tokenOfOwnerByIndex', args: [owner, 0n] });
    const crsm = await client.readContract({ ...factoryContract, functionName: 'crsms', args: [tokenId] });
    await call(crsmFactory, crsmFactoryAbi, 'deposit', [crsm, halfDeposit]);
    await call(crsm, crsmAbi, 'withdrawFromSP', [owner, parseEther('100')]);
    if (plan.isRepaid) {
      const price = await client.readContract({ ...troveContract, functionName: 'fetchPrice' });
      const [, target = 0n, maxTarget = 0n] = ratios;
      const amount = repayFor((target + maxTarget) / 2n, coll, debt, price);
      await createContractCaller(url, devnetAccounts.borrower)(crsm, crsmAbi, 'repay', [amount]);
    }
    if (plan.later) await call(crsm, crsmAbi, 'updateCR', plan.later.map(percentToWad));
    if (plan.idle) await call(yu, yuAbi, 'transfer', [crsm, parseEther(plan.idle)]);
    if (plan.reward) await call(crsm, crsmAbi, 'commitDebtGasCompensation', [parseEther(plan.reward)]);
  }
  return isComplete;
}
const percentToWad = (percent: bigint): bigint => percent * 10n ** 16n;

function createContractCaller(url: string, account: HDAccount) {
  const transport = http(url);
  const client = createPublicClient({ chain: foundry, transport, pollingInterval: 200 });
  const wallet = createWalletClient({ account, chain: foundry, transport });
  return async (address: Address, abi: Abi, functionName: string, args: unknown[]) => {
    // Fixed gas, because an estimate in the deposit's block fails.
    const hash = await wallet.writeContract({ address, abi, functionName, args, gas: 3_000_000n });
    const { status } = await client.waitForTransactionReceipt({ hash });
    if (status !== 'success') throw new Error(`devnet transaction ${functionName} of ${account.address} failed`);
  };
}

/** Repeats until done or stopped, also after failures. */
export function startScenario(url: string, intervalMs = 8_000): () => Promise<void> {
  let isStopped = false;
  let pendingRun: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    pendingRun = pendingRun.then(async () => {
      if (isStopped) return;
      const arePositionsOpen = await openDemoPositions(url).catch(() => false);
      const areCrsmsOpen = await openDemoCrsms(url).catch(() => false);
      if (arePositionsOpen && areCrsmsOpen) clearInterval(timer);
    });
  }, intervalMs);
  timer.unref();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await pendingRun;
  };
}
