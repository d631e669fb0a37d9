import type { Abi, Address } from 'viem';
import type { EvmChainInfo } from '../../../api/custody/chain.ts';
import type { CrsmCall, CrsmRow, PositionRow } from '../../../api/crsm/contract.ts';
import type { CrsmAction } from '../../../api/crsm/values.ts';
import { amountText, exactPercentText } from '../../lib/money/amount-text.ts';
import type { Api } from '../../lib/net/client.ts';
import type { ContractCall, Sent } from '../../lib/evm/contract-call.ts';
import { EvmError } from '../../lib/evm/problem.ts';
import { $evmWallet } from '../../lib/evm/store.ts';
import { withUnit } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { queryClient } from '../../lib/net/query.ts';
import { CommandError } from '../engine/command-error.ts';
import type { Consequences } from '../engine/define.ts';
import { inWords } from './reverts.ts';
import { evmText } from '../custody/shared/wallet-problem.ts';

/** One wish: which action, of which CRSM or position, told what. Its numbers are base units. */
export interface Wish {
  action: CrsmAction;
  /** The position, for `create`. */
  on: CrsmRow | PositionRow;
  params: Readonly<Record<string, string>>;
}

/** What brings viem and the contracts' interfaces, when a call is about to be made. */
async function parts() {
  const [calls, { crsmAbi }, { crsmFactoryAbi }, { stabilityPoolAbi }, { yuAbi }, { borrowerOperationsAbi }] = await Promise.all([
    import('../../lib/evm/contract-call.ts'),
    import('../../../chain/abi/crsm.ts'),
    import('../../../chain/abi/crsm-factory.ts'),
    import('../../../chain/abi/stability-pool.ts'),
    import('../../../chain/abi/yu.ts'),
    import('../../../chain/abi/borrower-operations.ts'),
  ]);
  // A call is refused by whichever contract it comes to: each says so with errors of its own.
  const errors = ([crsmFactoryAbi, stabilityPoolAbi, yuAbi] as Abi[]).flatMap((abi) =>
    abi.filter(({ type }) => type === 'error'),
  );
  const withErrors = (abi: Abi): Abi => [...abi, ...errors];
  return {
    ...calls,
    crsmAbi: withErrors(crsmAbi),
    crsmFactoryAbi: withErrors(crsmFactoryAbi),
    yuAbi: yuAbi as Abi,
    borrowerOperationsAbi: borrowerOperationsAbi as Abi,
  };
}

/** The connected account, or the words that none is. */
export function account(): Address {
  const wallet = $evmWallet.get();
  if (!wallet) throw new EvmError('none');
  return wallet.account as Address;
}

interface Calls {
  /** YU is taken by the factory: what it may take is set to just this, where it is less. Null: it may already. */
  approve: ContractCall | null;
  call: ContractCall;
}

/** The call of a wish, from its parameters alone: what the server has written down must be this to the last byte. */
async function callOf({ action, on, params }: Wish, chain: EvmChainInfo, from: Address): Promise<ContractCall> {
  const { crsmAbi, crsmFactoryAbi } = await parts();
  const factory = chain.contracts.crsmFactory;
  if (factory === null) throw new CommandError('BLOCKED', t('crsm.noFactory'), [], 'crsm.noFactory');
  const text = (name: string) => params[name] ?? '';
  const whole = (name: string) => BigInt(text(name));
  const base = { chainId: chain.chainId, from };
  const ofFactory = (functionName: string, args: unknown[]): ContractCall => ({
    ...base,
    to: factory as Address,
    contract: 'CRSMFactory',
    abi: crsmFactoryAbi,
    functionName,
    args,
  });
  const ofClone = (args: unknown[]): ContractCall => ({
    ...base,
    to: on.id as Address,
    contract: 'CRSM',
    abi: crsmAbi,
    functionName: action,
    args,
  });
  const ratios = () => [whole('TRGCR'), whole('TARCR'), whole('MAX_TARCR')];
  switch (action) {
    case 'create':
      return ofFactory('createNewCRSM', [
        on.troveManager,
        BigInt(on.troveId),
        ...ratios(),
        whole('debtGasCompensation'),
        whole('amount'),
      ]);
    case 'deposit':
      return ofFactory('deposit', [on.id, whole('amount')]);
    case 'withdrawFromSP':
      return ofClone([text('to'), whole('amount')]);
    case 'claimYield':
    case 'claimAllCollateralGains':
      return ofClone([text('to')]);
    case 'updateCR':
      return ofClone(ratios());
    case 'commitDebtGasCompensation':
      return ofClone([whole('debtGasCompensation')]);
    case 'acceptDebtGasCompensation':
      return ofClone([]);
    case 'withdraw':
      return ofClone([chain.contracts.yu, text('to'), whole('amount')]);
    case 'repay':
      return ofClone([whole('amount')]);
  }
}

async function callsOf(wish: Wish, chain: EvmChainInfo, from: Address): Promise<Calls> {
  const { readThrough, yuAbi } = await parts();
  const call = await callOf(wish, chain, from);
  const amount = wish.action === 'create' || wish.action === 'deposit' ? BigInt(wish.params['amount'] ?? 0) : 0n;
  if (amount === 0n) return { approve: null, call };
  const yu = { chainId: chain.chainId, from, to: chain.contracts.yu as Address, contract: 'YU', abi: yuAbi };
  const allowance = await readThrough({ ...yu, functionName: 'allowance', args: [from, call.to] });
  if (typeof allowance !== 'bigint') throw new EvmError('failed');
  return { approve: allowance < amount ? { ...yu, functionName: 'approve', args: [call.to, amount] } : null, call };
}

/** Whose wallet the review of a wish named, by its parameters: that one signs it, or nobody. A script's has none. */
const reviewedBy = new WeakMap<Wish['params'], Address>();

/** Whose wallet signs, and on which chain. */
export const sentBy = (address: string, { name, chainId }: EvmChainInfo): string =>
  t('crsm.review.from', { address, chain: `${name} (${chainId})` });

/** What the wallet will be asked to sign, in full, and why that would fail on chain: for the review. */
export async function reviewOf(wish: Wish, chain: EvmChainInfo): Promise<Consequences & { lines: string[] }> {
  const { decoded, simulate } = await parts();
  const lines: string[] = [];
  try {
    const from = account();
    reviewedBy.set(wish.params, from);
    lines.push(sentBy(from, chain));
    const { approve, call } = await callsOf(wish, chain, from);
    for (const each of approve ? [approve, call] : [call]) {
      const { name, args } = decoded(each);
      const values = { contract: each.contract, address: each.to, call: `${name}(${args.map(argumentText).join(', ')})` };
      lines.push(t('crsm.review.call', values));
    }
    await simulate(approve ?? call);
    lines.push(t(approve ? 'crsm.review.approveHolds' : 'crsm.review.holds'));
  } catch (error) {
    const problem = inWords(error);
    const isOfWallet = problem instanceof EvmError && problem.code !== 'reverted';
    return { lines, blocked: isOfWallet ? evmText(problem) : t('crsm.review.fails', { reason: evmText(problem) }) };
  }
  return { lines };
}

/** An argument as it is signed, and what it means: `_TRGCR: 1300000000000000000 = 130.00%`. */
function argumentText({ name, value }: { name: string; value: string }): string {
  if (name.endsWith('CR')) return `${name}: ${value} = ${exactPercentText(BigInt(value))}`;
  const isYu = /^_?amount$|GasCompensation$|^value$/.test(name);
  return isYu ? `${name}: ${value} = ${withUnit(amountText(BigInt(value), 18), 'YU')}` : `${name}: ${value}`;
}

/**
 * Takes a wish through: the server writes the call down → it is the same as ours → the approval where one is missing → the call
 * itself. Answers the hash it was mined under, or is waiting under. Throws EvmError, CommandError and what the server refuses with.
 */
export async function takeWish(api: Api, wish: Wish): Promise<Sent & { call: string }> {
  const { takeThrough } = await parts();
  const from = account();
  const wanted = reviewedBy.get(wish.params);
  if (wanted !== undefined && wanted !== from) throw new EvmError('wrongAccount', { is: from, wanted });
  const chain = await api.chain.get();
  const { approve, call } = await callsOf(wish, chain, from).catch(rethrow);
  const prepared = await prepare(api, wish, from);
  await refuseOther(prepared, call);
  try {
    if (approve) await takeThrough(approve, async () => {});
    // A server that cannot be told finds the transaction on the chain.
    const sent = await takeThrough(call, (hash) => api.crsm.sent({ id: prepared.id, hash }).catch(() => {}));
    return { call: prepared.id, ...sent };
  } catch (error) {
    return rethrow(error);
  }
}

const rethrow = (error: unknown): never => {
  throw inWords(error);
};

function prepare(api: Api, { action, on, params }: Wish, from: Address): Promise<CrsmCall> {
  if (action === 'create') return api.crsm.create({ position: on.id, from, params } as Parameters<Api['crsm']['create']>[0]);
  const route = api.crsm[action] as (input: unknown) => Promise<CrsmCall>;
  return route({ crsm: on.id, from, params });
}

/** The server and this page have each made the call from the same wish: nothing is signed where they differ. */
async function refuseOther(prepared: CrsmCall, call: ContractCall): Promise<void> {
  const { isSameCall } = await parts();
  if (!isSameCall(prepared, call)) throw new CommandError('BLOCKED', t('crsm.differs'), [], 'crsm.differs');
}

// ── What bounds an amount beside the row ──

const freshMs = 5_000;

/** YU of the connected account. */
export const balanceOfYu = (api: Api): Promise<bigint> =>
  readWhole(['evm', 'yu', account()], async () => {
    const [chain, { readThrough, yuAbi }] = await Promise.all([api.chain.get(), parts()]);
    const yu = { chainId: chain.chainId, to: chain.contracts.yu as Address, contract: 'YU', abi: yuAbi };
    return readThrough({ ...yu, from: account(), functionName: 'balanceOf', args: [account()] });
  });

/** The debt that a trove must keep: minNetDebt and the gas compensation of borrower operations. */
export const leastDebtOf = (api: Api, crsm: string): Promise<bigint> =>
  readWhole(['evm', 'leastDebt', crsm], async () => {
    const [{ chainId }, { readThrough, crsmAbi, borrowerOperationsAbi }] = await Promise.all([api.chain.get(), parts()]);
    const base = { chainId, from: account(), args: [] };
    const to = await readThrough({
      ...base,
      to: crsm as Address,
      contract: 'CRSM',
      abi: crsmAbi,
      functionName: 'borrowerOperations',
    });
    const read = (functionName: string) =>
      readThrough({ ...base, to: to as Address, contract: 'BorrowerOperations', abi: borrowerOperationsAbi, functionName });
    const [net, gas] = await Promise.all([read('minNetDebt'), read('DEBT_GAS_COMPENSATION')]);
    return typeof net === 'bigint' && typeof gas === 'bigint' ? net + gas : null;
  });

async function readWhole(queryKey: string[], read: () => Promise<unknown>): Promise<bigint> {
  const value = await queryClient.fetchQuery({
    queryKey,
    queryFn: async () => String(await read()),
    staleTime: freshMs,
    retry: false,
  });
  return BigInt(value);
}
