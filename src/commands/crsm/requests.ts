import type { Abi, Address } from 'viem';
import type { EvmChainInfo } from '../../../api/custody/chain.ts';
import type { CrsmCall, CrsmRow, PositionRow } from '../../../api/crsm/contract.ts';
import type { CrsmAction } from '../../../api/crsm/values.ts';
import { amountText, exactPercentText } from '../../lib/money/amount-text.ts';
import type { Api } from '../../lib/net/client.ts';
import type { ContractCall, SendResult } from '../../lib/evm/contract-call.ts';
import { EvmError } from '../../lib/evm/problem.ts';
import { $evmWallet } from '../../lib/evm/store.ts';
import { evmExplorerTarget } from '../../lib/explorer.ts';
import { withUnit } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { bilingualName } from '../../lib/i18n/name-of.ts';
import { queryClient } from '../../lib/net/query.ts';
import { CommandError } from '../engine/command-error.ts';
import type { Consequences } from '../engine/define.ts';
import type { Party, Review, ReviewedCall } from '../engine/review.ts';
import { toReadableError } from './revert-texts.ts';
import { evmText } from '../custody/shared/wallet-problem.ts';

/** Amounts are base units. */
export interface CrsmRequest {
  action: CrsmAction;
  on: CrsmRow | PositionRow;
  params: Readonly<Record<string, string>>;
}

async function parts() {
  const [calls, { crsmAbi }, { crsmFactoryAbi }, { stabilityPoolAbi }, { yuAbi }, { borrowerOperationsAbi }] = await Promise.all([
    import('../../lib/evm/contract-call.ts'),
    import('../../../chain/abi/crsm.ts'),
    import('../../../chain/abi/crsm-factory.ts'),
    import('../../../chain/abi/stability-pool.ts'),
    import('../../../chain/abi/yu.ts'),
    import('../../../chain/abi/borrower-operations.ts'),
  ]);
  // Each contract that a call reaches reverts with its own errors.
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

export function connectedAccount(): Address {
  const wallet = $evmWallet.get();
  if (!wallet) throw new EvmError('none');
  return wallet.account as Address;
}

interface Calls {
  /** Sets the allowance to exactly this amount. Null: the allowance suffices. */
  approve: ContractCall | null;
  call: ContractCall;
}

/**
 * Built from the parameters alone, so that it can be compared byte for byte with the server's call.
 */
async function callOf({ action, on, params }: CrsmRequest, chain: EvmChainInfo, from: Address): Promise<ContractCall> {
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

async function callsOf(request: CrsmRequest, chain: EvmChainInfo, from: Address): Promise<Calls> {
  const { readContract, yuAbi } = await parts();
  const call = await callOf(request, chain, from);
  const amount = request.action === 'create' || request.action === 'deposit' ? BigInt(request.params['amount'] ?? 0) : 0n;
  if (amount === 0n) return { approve: null, call };
  const yu = { chainId: chain.chainId, from, to: chain.contracts.yu as Address, contract: 'YU', abi: yuAbi };
  const allowance = await readContract({ ...yu, functionName: 'allowance', args: [from, call.to] });
  if (typeof allowance !== 'bigint') throw new EvmError('failed');
  return { approve: allowance < amount ? { ...yu, functionName: 'approve', args: [call.to, amount] } : null, call };
}

/** Only the wallet that the review named may sign. A script's wish has no review. */
const reviewedBy = new WeakMap<CrsmRequest['params'], Address>();

/** What a wish does and what the wallet will be asked to sign, in full, and why that would fail on chain. */
export async function reviewRequest(request: CrsmRequest, chain: EvmChainInfo): Promise<Consequences & { reviews: Review[] }> {
  const { decodeCall, simulate } = await parts();
  const review = (from: Address | null, calls: readonly ReviewedCall[], checked: string | null): Review => ({
    what: requestTitle(request),
    parties: partiesOf(request, chain, from),
    facts: [{ label: t('crsm.review.chain'), text: `${chain.name} (${chain.chainId})` }],
    changes: ratioChanges(request),
    undo: t('crsm.review.undo'),
    calls,
    checked,
  });
  let from: Address | null = null;
  let calls: ReviewedCall[] = [];
  try {
    from = connectedAccount();
    reviewedBy.set(request.params, from);
    const { approve, call } = await callsOf(request, chain, from);
    calls = (approve ? [approve, call] : [call]).map((each) => {
      const { name, args } = decodeCall(each);
      return { contract: each.contract, address: each.to, name, args: args.map(argumentOf) };
    });
    await simulate(approve ?? call);
    return { lines: [], reviews: [review(from, calls, t(approve ? 'crsm.review.approveHolds' : 'crsm.review.holds'))] };
  } catch (error) {
    const problem = toReadableError(error);
    const isOfWallet = problem instanceof EvmError && problem.code !== 'reverted';
    const blocked = isOfWallet ? evmText(problem) : t('crsm.review.fails', { reason: evmText(problem) });
    return { lines: [], reviews: [review(from, calls, null)], blocked };
  }
}

/** `Deposit YU · CRSM #3 · 100 YU`. */
function requestTitle({ action, on, params }: CrsmRequest): string {
  const amount = params['amount'] ?? amountOf(action, on);
  const number = 'tokenId' in on ? `CRSM #${on.tokenId}` : `#${on.troveId}`;
  const isMoved = amount !== null && amount !== undefined && /^\d+$/.test(amount) && amount !== '0';
  return [bilingualName(`crsm.${action}`), number, ...(isMoved ? [withUnit(amountText(BigInt(amount), 18), 'YU')] : [])].join(
    ' · ',
  );
}

const amountOf = (action: CrsmAction, on: CrsmRequest['on']): string | null =>
  action === 'claimYield' && 'yieldGains' in on ? on.yieldGains : null;

/** Who pays and who receives. A call that moves nothing is on a CRSM. */
function partiesOf({ action, on, params }: CrsmRequest, chain: EvmChainInfo, from: Address | null): Party[] {
  const wallet: Party[] = from === null ? [] : [{ as: 'signer', at: evmExplorerTarget.address(from) }];
  const crsm = (as: Party['as']): Party => ({
    as,
    at: evmExplorerTarget.address(on.id),
    ...('tokenId' in on && { name: `CRSM #${on.tokenId}` }),
  });
  const isPaid = params['amount'] !== undefined && params['amount'] !== '0';
  const payer: Party[] = isPaid ? wallet.map((party) => ({ ...party, as: 'from' })) : wallet;
  const { to } = params;
  if (action === 'deposit') return [...payer, crsm('to')];
  if (action === 'create') {
    const factory = chain.contracts.crsmFactory;
    const of: Party = { as: 'of', at: evmExplorerTarget.address(on.owner), name: `#${on.troveId}` };
    return [
      ...payer,
      ...(factory && isPaid ? [{ as: 'to', at: evmExplorerTarget.address(factory), name: 'CRSMFactory' } as const] : []),
      of,
    ];
  }
  if (to !== undefined) return [crsm('from'), { as: 'to', at: evmExplorerTarget.address(to) }, ...wallet];
  return [crsm('of'), ...wallet];
}

/** The ratios that a call sets, where they change. */
function ratioChanges({ action, on, params }: CrsmRequest): { key: string; label: string; before: string; after: string }[] {
  if (action !== 'updateCR' || !('TRGCR' in on)) return [];
  return (['TRGCR', 'TARCR', 'MAX_TARCR'] as const).flatMap((name) => {
    const after = params[name] ?? '';
    const isChange = /^\d+$/.test(after) && after !== on[name];
    return isChange
      ? [
          {
            key: name,
            label: t(`crsm.field.${name}`),
            before: exactPercentText(BigInt(on[name])),
            after: exactPercentText(BigInt(after)),
          },
        ]
      : [];
  });
}

/** An argument in human units, and as it is signed. */
function argumentOf({ name, value }: { name: string; value: string }): ReviewedCall['args'][number] {
  if (name.endsWith('CR')) return { name, text: exactPercentText(BigInt(value)), raw: value };
  const isYu = /^_?amount$|GasCompensation$|^value$/.test(name);
  return isYu ? { name, text: withUnit(amountText(BigInt(value), 18), 'YU'), raw: value } : { name, text: value };
}

/**
 * Records the call at the server, compares it with this page's, approves YU if needed, then sends
 * it. Returns the transaction hash. Throws EvmError and CommandError.
 */
export async function sendRequest(api: Api, request: CrsmRequest): Promise<SendResult & { call: string }> {
  const { sendAndWait } = await parts();
  const from = connectedAccount();
  const reviewed = reviewedBy.get(request.params);
  if (reviewed !== undefined && reviewed !== from) throw new EvmError('wrongAccount', { is: from, wanted: reviewed });
  const chain = await api.chain.get();
  const { approve, call } = await callsOf(request, chain, from).catch(rethrow);
  const prepared = await prepare(api, request, from);
  await refuseOther(prepared, call);
  try {
    if (approve) await sendAndWait(approve, async () => {});
    // The server finds the transaction on chain if this report fails.
    const sent = await sendAndWait(call, (hash) => api.crsm.sent({ id: prepared.id, hash }).catch(() => {}));
    return { call: prepared.id, ...sent };
  } catch (error) {
    return rethrow(error);
  }
}

const rethrow = (error: unknown): never => {
  throw toReadableError(error);
};

function prepare(api: Api, { action, on, params }: CrsmRequest, from: Address): Promise<CrsmCall> {
  if (action === 'create') return api.crsm.create({ position: on.id, from, params } as Parameters<Api['crsm']['create']>[0]);
  const route = api.crsm[action] as (input: unknown) => Promise<CrsmCall>;
  return route({ crsm: on.id, from, params });
}

/** Server and page build the call separately, so that neither can change it alone. */
async function refuseOther(prepared: CrsmCall, call: ContractCall): Promise<void> {
  const { isSameCall } = await parts();
  if (!isSameCall(prepared, call)) throw new CommandError('BLOCKED', t('crsm.differs'), [], 'crsm.differs');
}

const maxAgeMs = 5_000;

export const balanceOfYu = (api: Api): Promise<bigint> =>
  readWhole(['evm', 'yu', connectedAccount()], async () => {
    const [chain, { readContract, yuAbi }] = await Promise.all([api.chain.get(), parts()]);
    const yu = { chainId: chain.chainId, to: chain.contracts.yu as Address, contract: 'YU', abi: yuAbi };
    return readContract({ ...yu, from: connectedAccount(), functionName: 'balanceOf', args: [connectedAccount()] });
  });

/** minNetDebt and the gas compensation. */
export const minDebtOf = (api: Api, crsm: string): Promise<bigint> =>
  readWhole(['evm', 'leastDebt', crsm], async () => {
    const [{ chainId }, { readContract, crsmAbi, borrowerOperationsAbi }] = await Promise.all([api.chain.get(), parts()]);
    const base = { chainId, from: connectedAccount(), args: [] };
    const to = await readContract({
      ...base,
      to: crsm as Address,
      contract: 'CRSM',
      abi: crsmAbi,
      functionName: 'borrowerOperations',
    });
    const read = (functionName: string) =>
      readContract({ ...base, to: to as Address, contract: 'BorrowerOperations', abi: borrowerOperationsAbi, functionName });
    const [net, gas] = await Promise.all([read('minNetDebt'), read('DEBT_GAS_COMPENSATION')]);
    return typeof net === 'bigint' && typeof gas === 'bigint' ? net + gas : null;
  });

async function readWhole(queryKey: string[], read: () => Promise<unknown>): Promise<bigint> {
  const value = await queryClient.fetchQuery({
    queryKey,
    queryFn: async () => String(await read()),
    staleTime: maxAgeMs,
    retry: false,
  });
  return BigInt(value);
}
