import type { Address } from 'viem';
import type * as z from 'zod/mini';
import type { crsmFields } from '../../api/crsm/contract.ts';
import { computeAllowedRange, type CrsmState } from '../../api/crsm/effects.ts';
import { ratioOf, findRatioOutOfOrder, type CrsmAction, type CrsmRefusal } from '../../api/crsm/values.ts';
import { borrowerOperationsAbi } from '../../chain/abi/borrower-operations.ts';
import { crsmAbi } from '../../chain/abi/crsm.ts';
import { troveManagerAbi } from '../../chain/abi/trove-manager.ts';
import { yuAbi } from '../../chain/abi/yu.ts';
import { nullOnContractError, type CrsmChain } from './chain.ts';
import { isUnownedAddress } from '../deposits/shared/unowned-address.ts';
import { createFieldError, createAppError } from '../platform/core/errors.ts';
import type { Services } from '../platform/services/context.ts';
import { describeRpcError } from '../platform/evm/rpc-problem.ts';

// Checks at one block before a wallet is asked. The simulation covers what depends on the transaction's own block.

export type ActionParams = { [A in CrsmAction]: z.infer<(typeof crsmFields)[A]> };
type ExistingCrsmAction = Exclude<CrsmAction, 'create'>;

export const createCrsmRefusal = (reason: CrsmRefusal, values: Readonly<Record<string, string>> = {}) =>
  createAppError('CRSM_REFUSED', { reason, ...values });

interface ChainFacts {
  block: bigint;
  /** Unix seconds. */
  time: bigint;
  /** YU of the signing account. */
  balance: bigint;
  MCR: bigint;
}

export interface CrsmFacts extends ChainFacts {
  owner: Address;
  /** Unix seconds. 0n: nothing committed. */
  deadline: bigint;
  state: Omit<CrsmState, 'price'>;
  /** Null: the price feed fails. Actions without a price still work. */
  price: bigint | null;
}

export interface TroveFacts extends ChainFacts {
  /** Null: closed. */
  owner: Address | null;
}

/** 'gone': destroyed. 'unreachable': no answer from the chain. */
export async function readCrsmFacts(
  services: Services,
  chain: CrsmChain,
  { crsm, from, troveManager, troveId }: { crsm: Address; from: Address; troveManager: Address; troveId: bigint },
): Promise<CrsmFacts | 'gone' | 'unreachable'> {
  return withUnreachable(services, async () => {
    const client = await chain.client();
    const { number: blockNumber, timestamp: time } = await client.getBlock();
    const crsmContract = { address: crsm, abi: crsmAbi, blockNumber } as const;
    const managerContract = { address: troveManager, abi: troveManagerAbi, blockNumber } as const;
    const [crsmValues, trove, price, MCR, balance] = await Promise.all([
      nullOnContractError(() =>
        Promise.all([
          client.readContract({ ...crsmContract, functionName: 'getState' }),
          client.readContract({ ...crsmContract, functionName: 'deadline' }),
          client.readContract({ ...crsmContract, functionName: 'borrowerOperations' }),
        ]),
      ),
      client.readContract({ ...managerContract, functionName: 'getCurrentTrove', args: [troveId] }),
      nullOnContractError(() => client.readContract({ ...managerContract, functionName: 'fetchPrice' })),
      client.readContract({ ...managerContract, functionName: 'MCR' }),
      client.readContract({ address: chain.contracts.yu, abi: yuAbi, functionName: 'balanceOf', args: [from], blockNumber }),
    ]);
    if (!crsmValues) return 'gone';
    const [crsmState, deadline, operationsAddress] = crsmValues;
    const operationsContract = { address: operationsAddress, abi: borrowerOperationsAbi, blockNumber } as const;
    const [netDebt, gasCompensation] = await Promise.all([
      client.readContract({ ...operationsContract, functionName: 'minNetDebt' }),
      client.readContract({ ...operationsContract, functionName: 'DEBT_GAS_COMPENSATION' }),
    ]);
    const { owner, TRGCR, TARCR, MAX_TARCR, deposits, yieldGains, debtTokenBalance } = crsmState;
    return {
      block: blockNumber,
      time,
      balance,
      MCR,
      owner,
      deadline,
      price,
      state: {
        id: crsm,
        collateral: trove.coll,
        debt: trove.debt,
        interest: trove.interest,
        MCR,
        TRGCR,
        TARCR,
        MAX_TARCR,
        deposits,
        yieldGains,
        debtTokenBalance,
        pendingDebtGasCompensation: 0n,
        debtGasCompensation: crsmState.DEBT_GAS_COMPENSATION,
        minDebt: netDebt + gasCompensation,
        balance,
        allowance: null,
      },
    };
  });
}

export async function readTroveFacts(
  services: Services,
  chain: CrsmChain,
  { from, troveManager, troveId }: { from: Address; troveManager: Address; troveId: bigint },
): Promise<TroveFacts | 'unreachable'> {
  return withUnreachable(services, async () => {
    const client = await chain.client();
    const { number: blockNumber, timestamp: time } = await client.getBlock();
    const managerContract = { address: troveManager, abi: troveManagerAbi, blockNumber } as const;
    const [owner, MCR, balance] = await Promise.all([
      nullOnContractError(() => client.readContract({ ...managerContract, functionName: 'ownerOf', args: [troveId] })),
      client.readContract({ ...managerContract, functionName: 'MCR' }),
      client.readContract({ address: chain.contracts.yu, abi: yuAbi, functionName: 'balanceOf', args: [from], blockNumber }),
    ]);
    return { block: blockNumber, time, owner, MCR, balance };
  });
}

async function withUnreachable<T>(services: Services, readChain: () => Promise<T>): Promise<T | 'unreachable'> {
  try {
    return await readChain();
  } catch (error) {
    services.log.info({ err: describeRpcError(error) }, 'could not read a CRSM from the chain');
    return 'unreachable';
  }
}

export function checkCreate(params: ActionParams['create'], from: string, facts: TroveFacts): void {
  if (facts.owner !== from) throw createCrsmRefusal('notTroveOwner', facts.owner ? { owner: facts.owner } : {});
  assertRatioOrder(params, facts.MCR);
  assertBalance(params.amount, facts.balance);
}

const unrestrictedActions: readonly CrsmAction[] = ['deposit', 'repay'];

export function checkAction<A extends ExistingCrsmAction>(
  action: A,
  params: ActionParams[A],
  from: string,
  facts: CrsmFacts,
  deadlineText: string,
): void {
  if (!unrestrictedActions.includes(action) && facts.owner !== from) throw createCrsmRefusal('notOwner', { owner: facts.owner });
  const checkRule = actionRules[action] as
    | ((params: ActionParams[A], facts: CrsmFacts, deadlineText: string) => void)
    | undefined;
  checkRule?.(params, facts, deadlineText);
}

/** A CRSM cannot use collateral or YU that it pays to itself. */
const actionsRefusingSelfPayment: readonly CrsmAction[] = ['claimAllCollateralGains', 'withdraw'];

/** Refuses receivers that cannot use the payment: protocol contracts, and the CRSM itself. */
export function checkReceiver({ config }: Services, action: ExistingCrsmAction, crsm: Address, params: object): void {
  if (!('to' in params && typeof params.to === 'string')) return;
  const { to } = params;
  const isSameAddress = to.toLowerCase() === crsm.toLowerCase();
  if (isUnownedAddress(to, config) || (isSameAddress && actionsRefusingSelfPayment.includes(action)))
    throw createFieldError('params.to', 'receiver');
}

const actionRules: { [A in ExistingCrsmAction]?: (params: ActionParams[A], facts: CrsmFacts, deadlineText: string) => void } = {
  deposit: ({ amount }, { balance }) => assertBalance(amount, balance),
  withdrawFromSP: ({ amount }, { state }) => assertBalance(amount, state.deposits),
  withdraw: ({ amount }, { state }) => assertBalance(amount, state.debtTokenBalance),
  updateCR: (ratios, { MCR }) => assertRatioOrder(ratios, MCR),
  acceptDebtGasCompensation: (_, { deadline, time }, deadlineText) => {
    if (deadline === 0n) throw createCrsmRefusal('nothingCommitted');
    if (time < deadline) throw createCrsmRefusal('tooEarly', { until: deadlineText });
  },
  repay: assertRepay,
};

/** The same guards as the clone. */
function assertRepay(params: ActionParams['repay'], { state: figures, price }: CrsmFacts): void {
  if (price === null) throw createCrsmRefusal('noPrice');
  const state = { ...figures, price };
  const amount = BigInt(params.amount);
  const { min, max, limit } = computeAllowedRange('repay', 'amount', state) ?? { min: 0n, max: 0n, limit: null };
  if (limit === 'trigger') {
    const currentIcr = ratioOf(state.collateral, state.debt + state.interest, state.price);
    throw createCrsmRefusal('notTriggered', { icr: currentIcr.toString(), trigger: state.TRGCR.toString() });
  }
  if (amount > max && limit === 'funds') throw createFieldError('params.amount', 'balance');
  if (amount > max) throw createCrsmRefusal(limit === 'debt' ? 'debtFloor' : 'aboveTarget', { most: max.toString() });
  if (amount < min) throw createCrsmRefusal('belowTarget', { least: min.toString() });
}

function assertBalance(amount: string, max: bigint): void {
  if (BigInt(amount) > max) throw createFieldError('params.amount', 'balance');
}

function assertRatioOrder({ TRGCR, TARCR, MAX_TARCR }: ActionParams['updateCR'], MCR: bigint): void {
  const outOfOrderRatio = findRatioOutOfOrder({ MCR, TRGCR: BigInt(TRGCR), TARCR: BigInt(TARCR), MAX_TARCR: BigInt(MAX_TARCR) });
  if (outOfOrderRatio) throw createFieldError(`params.${outOfOrderRatio}`, 'ratioOrder');
}
