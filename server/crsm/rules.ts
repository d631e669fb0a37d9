import type { Address } from 'viem';
import type * as z from 'zod/mini';
import type { crsmFields } from '../../api/crsm/contract.ts';
import { allowedRange, type CrsmState } from '../../api/crsm/effects.ts';
import { ratioOf, ratioOutOfOrder, type CrsmAction, type CrsmRefusal } from '../../api/crsm/values.ts';
import { borrowerOperationsAbi } from '../../chain/abi/borrower-operations.ts';
import { crsmAbi } from '../../chain/abi/crsm.ts';
import { troveManagerAbi } from '../../chain/abi/trove-manager.ts';
import { yuAbi } from '../../chain/abi/yu.ts';
import { nullOnContractError, type CrsmChain } from './chain.ts';
import { isUnownedAddress } from '../deposits/shared/unowned-address.ts';
import { badField, appError } from '../platform/core/errors.ts';
import type { Services } from '../platform/services/context.ts';
import { describeRpcError } from '../platform/evm/rpc-problem.ts';

// Checks at one block before a wallet is asked. The simulation covers what depends on the transaction's own block.

export type ActionParams = { [A in CrsmAction]: z.infer<(typeof crsmFields)[A]> };
type ActOf = Exclude<CrsmAction, 'create'>;

export const crsmRefusal = (reason: CrsmRefusal, values: Readonly<Record<string, string>> = {}) =>
  appError('CRSM_REFUSED', { reason, ...values });

interface Facts {
  block: bigint;
  /** Unix seconds. */
  time: bigint;
  /** YU of the signing account. */
  balance: bigint;
  MCR: bigint;
}

export interface CrsmFacts extends Facts {
  owner: Address;
  /** Unix seconds. 0n: nothing committed. */
  deadline: bigint;
  state: Omit<CrsmState, 'price'>;
  /** Null: the price feed fails. Actions without a price still work. */
  price: bigint | null;
}

export interface TroveFacts extends Facts {
  /** Null: closed. */
  owner: Address | null;
}

/** 'gone': destroyed. 'unreachable': no answer from the chain. */
export async function readCrsmFacts(
  services: Services,
  chain: CrsmChain,
  { crsm, from, troveManager, troveId }: { crsm: Address; from: Address; troveManager: Address; troveId: bigint },
): Promise<CrsmFacts | 'gone' | 'unreachable'> {
  return orUnreachable(services, async () => {
    const client = await chain.client();
    const { number: blockNumber, timestamp: time } = await client.getBlock();
    const clone = { address: crsm, abi: crsmAbi, blockNumber } as const;
    const manager = { address: troveManager, abi: troveManagerAbi, blockNumber } as const;
    const [own, trove, price, MCR, balance] = await Promise.all([
      nullOnContractError(() =>
        Promise.all([
          client.readContract({ ...clone, functionName: 'getState' }),
          client.readContract({ ...clone, functionName: 'deadline' }),
          client.readContract({ ...clone, functionName: 'borrowerOperations' }),
        ]),
      ),
      client.readContract({ ...manager, functionName: 'getCurrentTrove', args: [troveId] }),
      nullOnContractError(() => client.readContract({ ...manager, functionName: 'fetchPrice' })),
      client.readContract({ ...manager, functionName: 'MCR' }),
      client.readContract({ address: chain.contracts.yu, abi: yuAbi, functionName: 'balanceOf', args: [from], blockNumber }),
    ]);
    if (!own) return 'gone';
    const [found, deadline, operations] = own;
    const borrowing = { address: operations, abi: borrowerOperationsAbi, blockNumber } as const;
    const [net, gas] = await Promise.all([
      client.readContract({ ...borrowing, functionName: 'minNetDebt' }),
      client.readContract({ ...borrowing, functionName: 'DEBT_GAS_COMPENSATION' }),
    ]);
    const { owner, TRGCR, TARCR, MAX_TARCR, deposits, yieldGains, debtTokenBalance } = found;
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
        debtGasCompensation: found.DEBT_GAS_COMPENSATION,
        minDebt: net + gas,
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
  return orUnreachable(services, async () => {
    const client = await chain.client();
    const { number: blockNumber, timestamp: time } = await client.getBlock();
    const manager = { address: troveManager, abi: troveManagerAbi, blockNumber } as const;
    const [owner, MCR, balance] = await Promise.all([
      nullOnContractError(() => client.readContract({ ...manager, functionName: 'ownerOf', args: [troveId] })),
      client.readContract({ ...manager, functionName: 'MCR' }),
      client.readContract({ address: chain.contracts.yu, abi: yuAbi, functionName: 'balanceOf', args: [from], blockNumber }),
    ]);
    return { block: blockNumber, time, owner, MCR, balance };
  });
}

async function orUnreachable<T>(services: Services, ask: () => Promise<T>): Promise<T | 'unreachable'> {
  try {
    return await ask();
  } catch (error) {
    services.log.info({ err: describeRpcError(error) }, 'could not read a CRSM from the chain');
    return 'unreachable';
  }
}

export function checkCreate(params: ActionParams['create'], from: string, facts: TroveFacts): void {
  if (facts.owner !== from) throw crsmRefusal('notTroveOwner', facts.owner ? { owner: facts.owner } : {});
  assertRatioOrder(params, facts.MCR);
  assertBalance(params.amount, facts.balance);
}

const unrestrictedActions: readonly CrsmAction[] = ['deposit', 'repay'];

export function checkAction<A extends ActOf>(
  action: A,
  params: ActionParams[A],
  from: string,
  facts: CrsmFacts,
  until: string,
): void {
  if (!unrestrictedActions.includes(action) && facts.owner !== from) throw crsmRefusal('notOwner', { owner: facts.owner });
  const rule = rules[action] as ((params: ActionParams[A], facts: CrsmFacts, until: string) => void) | undefined;
  rule?.(params, facts, until);
}

/** A CRSM cannot use collateral or YU that it pays to itself. */
const actionsRefusingSelfPayment: readonly CrsmAction[] = ['claimAllCollateralGains', 'withdraw'];

/** Refuses receivers that cannot use the payment: protocol contracts, and the CRSM itself. */
export function checkReceiver({ config }: Services, action: ActOf, crsm: Address, params: object): void {
  if (!('to' in params && typeof params.to === 'string')) return;
  const { to } = params;
  const isItself = to.toLowerCase() === crsm.toLowerCase();
  if (isUnownedAddress(to, config) || (isItself && actionsRefusingSelfPayment.includes(action)))
    throw badField('params.to', 'receiver');
}

const rules: { [A in ActOf]?: (params: ActionParams[A], facts: CrsmFacts, until: string) => void } = {
  deposit: ({ amount }, { balance }) => assertBalance(amount, balance),
  withdrawFromSP: ({ amount }, { state }) => assertBalance(amount, state.deposits),
  withdraw: ({ amount }, { state }) => assertBalance(amount, state.debtTokenBalance),
  updateCR: (ratios, { MCR }) => assertRatioOrder(ratios, MCR),
  acceptDebtGasCompensation: (_, { deadline, time }, until) => {
    if (deadline === 0n) throw crsmRefusal('nothingCommitted');
    if (time < deadline) throw crsmRefusal('tooEarly', { until });
  },
  repay: assertRepay,
};

/** The same guards as the clone. */
function assertRepay(params: ActionParams['repay'], { state: figures, price }: CrsmFacts): void {
  if (price === null) throw crsmRefusal('noPrice');
  const state = { ...figures, price };
  const amount = BigInt(params.amount);
  const { min, max, limit } = allowedRange('repay', 'amount', state) ?? { min: 0n, max: 0n, limit: null };
  if (limit === 'trigger') {
    const icr = ratioOf(state.collateral, state.debt + state.interest, state.price);
    throw crsmRefusal('notTriggered', { icr: icr.toString(), trigger: state.TRGCR.toString() });
  }
  if (amount > max && limit === 'funds') throw badField('params.amount', 'balance');
  if (amount > max) throw crsmRefusal(limit === 'debt' ? 'debtFloor' : 'aboveTarget', { most: max.toString() });
  if (amount < min) throw crsmRefusal('belowTarget', { least: min.toString() });
}

function assertBalance(amount: string, max: bigint): void {
  if (BigInt(amount) > max) throw badField('params.amount', 'balance');
}

function assertRatioOrder({ TRGCR, TARCR, MAX_TARCR }: ActionParams['updateCR'], MCR: bigint): void {
  const wrong = ratioOutOfOrder({ MCR, TRGCR: BigInt(TRGCR), TARCR: BigInt(TARCR), MAX_TARCR: BigInt(MAX_TARCR) });
  if (wrong) throw badField(`params.${wrong}`, 'ratioOrder');
}
