import { BaseError, ContractFunctionRevertedError, type Address } from 'viem';
import type * as z from 'zod/mini';
import type { crsmFields } from '../api/crsm.ts';
import { ratioOf, ratioOutOfOrder, repayFor, type CrsmAction, type CrsmRefusal } from '../api/crsm-values.ts';
import { borrowerOperationsAbi } from '../chain/abi/borrower-operations.ts';
import { crsmAbi } from '../chain/abi/crsm.ts';
import { troveManagerAbi } from '../chain/abi/trove-manager.ts';
import { yuAbi } from '../chain/abi/yu.ts';
import type { CrsmChain } from './platform/crsm-chain.ts';
import { badField, failure } from './platform/errors.ts';
import { describeError } from './platform/log.ts';
import type { Services } from './platform/context.ts';

// What the chain has to say before a wallet is asked: all of it read at one block. What only the chain can settle in the block of
// the transaction itself (an allowance, the block of a deposit) is left to the simulation.

export type Params = { [A in CrsmAction]: z.infer<(typeof crsmFields)[A]> };
type ActOf = Exclude<CrsmAction, 'create'>;

/** CRSM_REFUSED, with why. */
export const refused = (reason: CrsmRefusal, values: Readonly<Record<string, string>> = {}) =>
  failure('CRSM_REFUSED', { reason, ...values });

// ── Facts ──────────────────────────────────────────────────────────────────

interface Facts {
  block: bigint;
  /** Of the block, unix seconds. */
  time: bigint;
  /** YU of the account that will sign. */
  balance: bigint;
  MCR: bigint;
}

export interface CrsmFacts extends Facts {
  owner: Address;
  TRGCR: bigint;
  TARCR: bigint;
  MAX_TARCR: bigint;
  debtGasCompensation: bigint;
  deposits: bigint;
  yieldGains: bigint;
  debtTokenBalance: bigint;
  /** Unix seconds; 0n: nothing is committed. */
  deadline: bigint;
  collateral: bigint;
  /** With interest. */
  debt: bigint;
  price: bigint;
  /** What debt a trove has to keep. */
  floor: bigint;
}

export interface TroveFacts extends Facts {
  /** Null: the trove is closed. */
  owner: Address | null;
}

/** What an act on a CRSM is judged by. 'gone': it has been destroyed. 'unreachable': the chain does not answer. */
export async function readCrsmFacts(
  services: Services,
  chain: CrsmChain,
  { crsm, from, troveManager, troveId }: { crsm: Address; from: Address; troveManager: Address; troveId: bigint },
): Promise<CrsmFacts | 'gone' | 'unreachable'> {
  return asking(services, async () => {
    const client = await chain.client();
    const { number: blockNumber, timestamp: time } = await client.getBlock();
    const clone = { address: crsm, abi: crsmAbi, blockNumber } as const;
    const manager = { address: troveManager, abi: troveManagerAbi, blockNumber } as const;
    const [state, deadline, operations, trove, price, MCR, balance] = await Promise.all([
      client.readContract({ ...clone, functionName: 'getState' }),
      client.readContract({ ...clone, functionName: 'deadline' }),
      client.readContract({ ...clone, functionName: 'borrowerOperations' }),
      client.readContract({ ...manager, functionName: 'getCurrentTrove', args: [troveId] }),
      client.readContract({ ...manager, functionName: 'fetchPrice' }),
      client.readContract({ ...manager, functionName: 'MCR' }),
      client.readContract({ address: chain.contracts.yu, abi: yuAbi, functionName: 'balanceOf', args: [from], blockNumber }),
    ]);
    const borrowing = { address: operations, abi: borrowerOperationsAbi, blockNumber } as const;
    const [net, gas] = await Promise.all([
      client.readContract({ ...borrowing, functionName: 'minNetDebt' }),
      client.readContract({ ...borrowing, functionName: 'DEBT_GAS_COMPENSATION' }),
    ]);
    const { owner, TRGCR, TARCR, MAX_TARCR, deposits, yieldGains, debtTokenBalance } = state;
    return {
      ...{ block: blockNumber, time, balance, MCR, owner, TRGCR, TARCR, MAX_TARCR, deposits, yieldGains, debtTokenBalance },
      ...{ debtGasCompensation: state.DEBT_GAS_COMPENSATION, deadline, price, floor: net + gas },
      ...{ collateral: trove.coll, debt: trove.debt + trove.interest },
    };
  });
}

export async function readTroveFacts(
  services: Services,
  chain: CrsmChain,
  { from, troveManager, troveId }: { from: Address; troveManager: Address; troveId: bigint },
): Promise<TroveFacts | 'gone' | 'unreachable'> {
  return asking(services, async () => {
    const client = await chain.client();
    const { number: blockNumber, timestamp: time } = await client.getBlock();
    const manager = { address: troveManager, abi: troveManagerAbi, blockNumber } as const;
    const [owner, MCR, balance] = await Promise.all([
      client.readContract({ ...manager, functionName: 'ownerOf', args: [troveId] }).catch((error: unknown) => {
        if (isRevert(error)) return null;
        throw error;
      }),
      client.readContract({ ...manager, functionName: 'MCR' }),
      client.readContract({ address: chain.contracts.yu, abi: yuAbi, functionName: 'balanceOf', args: [from], blockNumber }),
    ]);
    return { block: blockNumber, time, owner, MCR, balance };
  });
}

async function asking<T>(services: Services, ask: () => Promise<T>): Promise<T | 'gone' | 'unreachable'> {
  try {
    return await ask();
  } catch (error) {
    if (isRevert(error)) return 'gone';
    services.log.info({ err: describeError(error).message }, 'CRSM: the chain did not answer');
    return 'unreachable';
  }
}

const isRevert = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionRevertedError) !== null;

// ── Rules ──────────────────────────────────────────────────────────────────

/** Throws what is wrong with making a CRSM for a trove. */
export function judgeCreate(params: Params['create'], from: string, facts: TroveFacts): void {
  if (facts.owner !== from) throw refused('notTroveOwner', facts.owner ? { owner: facts.owner } : {});
  inOrder(params, facts.MCR);
  within(params.amount, facts.balance);
}

const byAnyone: readonly CrsmAction[] = ['deposit', 'repay'];

/** Throws what is wrong with an act on a CRSM. */
export function judge<A extends ActOf>(action: A, params: Params[A], from: string, facts: CrsmFacts, until: string): void {
  if (!byAnyone.includes(action) && facts.owner !== from) throw refused('notOwner', { owner: facts.owner });
  if ('to' in params && /^0x0{40}$/.test(params.to)) throw badField('params.to', 'address');
  const rule = rules[action] as ((params: Params[A], facts: CrsmFacts, until: string) => void) | undefined;
  rule?.(params, facts, until);
}

const rules: { [A in ActOf]?: (params: Params[A], facts: CrsmFacts, until: string) => void } = {
  deposit: ({ amount }, { balance }) => within(amount, balance),
  withdrawFromSP: ({ amount }, { deposits }) => within(amount, deposits),
  withdraw: ({ amount }, { debtTokenBalance }) => within(amount, debtTokenBalance),
  updateCR: (ratios, { MCR }) => inOrder(ratios, MCR),
  acceptDebtGasCompensation: (_, { deadline, time }, until) => {
    if (deadline === 0n) throw refused('nothingCommitted');
    if (time < deadline) throw refused('tooEarly', { until });
  },
  repay: judgeRepay,
};

/** As the clone guards it, with the figures of now. */
function judgeRepay(params: Params['repay'], facts: CrsmFacts): void {
  const { collateral, debt, price, TRGCR, TARCR, MAX_TARCR, debtGasCompensation } = facts;
  const amount = BigInt(params.amount);
  const icr = ratioOf(collateral, debt, price);
  if (icr > TRGCR) throw refused('notTriggered', { icr: icr.toString(), trigger: TRGCR.toString() });
  const most = debt > facts.floor ? debt - facts.floor : 0n;
  if (amount > most) throw refused('debtFloor', { most: most.toString() });
  const there = facts.deposits + facts.yieldGains + facts.debtTokenBalance;
  if (amount + debtGasCompensation > there) throw badField('params.amount', 'balance');
  const after = ratioOf(collateral, debt - amount, price);
  if (after < TARCR && amount + debtGasCompensation < there)
    throw refused('belowTarget', { least: repayFor(TARCR, collateral, debt, price).toString() });
  if (after > MAX_TARCR) throw refused('aboveTarget', { most: mostRepaid(facts).toString() });
}

/** The most that may be repaid for the ratio not to pass MAX_TARCR. */
function mostRepaid({ MAX_TARCR, collateral, debt, price }: CrsmFacts): bigint {
  const least = (collateral * price) / (MAX_TARCR + 1n) + 1n; // the least debt whose ratio is still there
  return debt > least ? debt - least : 0n;
}

function within(amount: string, most: bigint): void {
  if (BigInt(amount) > most) throw badField('params.amount', 'balance');
}

function inOrder({ TRGCR, TARCR, MAX_TARCR }: Params['updateCR'], MCR: bigint): void {
  const wrong = ratioOutOfOrder({ MCR, TRGCR: BigInt(TRGCR), TARCR: BigInt(TARCR), MAX_TARCR: BigInt(MAX_TARCR) });
  if (wrong) throw badField(`params.${wrong}`, 'ratioOrder');
}
