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

async function loadParts() {
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
  const { crsmAbi, crsmFactoryAbi } = await loadParts();
  const factory = chain.contracts.crsmFactory;
  if (factory === null) throw new CommandError('BLOCKED', t('crsm.noFactory'), [], 'crsm.noFactory');
  const text = (name: string) => params[name] ?? '';
  const integerOf = (name: string) => BigInt(text(name));
  const callBase = { chainId: chain.chainId, from };
  const factoryCall = (functionName: string, args: unknown[]): ContractCall => ({
    ...callBase,
    to: factory as Address,
    contract: 'CRSMFactory',
    abi: crsmFactoryAbi,
    functionName,
    args,
  });
  const cloneCall = (args: unknown[]): ContractCall => ({
    ...callBase,
    to: on.id as Address,
    contract: 'CRSM',
    abi: crsmAbi,
    functionName: action,
    args,
  });
  const ratioArguments = () => [integerOf('TRGCR'), integerOf('TARCR'), integerOf('MAX_TARCR')];
  switch (action) {
    case 'create':
      return factoryCall('createNewCRSM', [
        on.troveManager,
        BigInt(on.troveId),
        ...ratioArguments(),
        integerOf('debtGasCompensation'),
        integerOf('amount'),
      ]);
    case 'deposit':
      return factoryCall('deposit', [on.id, integerOf('amount')]);
    case 'withdrawFromSP':
      return cloneCall([text('to'), integerOf('amount')]);
    case 'claimYield':
    case 'claimAllCollateralGains':
      return cloneCall([text('to')]);
    case 'updateCR':
      return cloneCall(ratioArguments());
    case 'commitDebtGasCompensation':
      return cloneCall([integerOf('debtGasCompensation')]);
    case 'acceptDebtGasCompensation':
      return cloneCall([]);
    case 'withdraw':
      return cloneCall([chain.contracts.yu, text('to'), integerOf('amount')]);
    case 'repay':
      return cloneCall([integerOf('amount')]);
  }
}

async function callsOf(request: CrsmRequest, chain: EvmChainInfo, from: Address): Promise<Calls> {
  const { readContract, yuAbi } = await loadParts();
  const call = await callOf(request, chain, from);
  const amount = request.action === 'create' || request.action === 'deposit' ? BigInt(request.params['amount'] ?? 0) : 0n;
  if (amount === 0n) return { approve: null, call };
  const yuContract = { chainId: chain.chainId, from, to: chain.contracts.yu as Address, contract: 'YU', abi: yuAbi };
  const allowance = await readContract({ ...yuContract, functionName: 'allowance', args: [from, call.to] });
  if (typeof allowance !== 'bigint') throw new EvmError('failed');
  return { approve: allowance < amount ? { ...yuContract, functionName: 'approve', args: [call.to, amount] } : null, call };
}

/** Only the wallet that the review named may sign. A script's wish has no review. */
const reviewingAccounts = new WeakMap<CrsmRequest['params'], Address>();

/** What a wish does and what the wallet will be asked to sign, in full, and why that would fail on chain. */
export async function reviewRequest(request: CrsmRequest, chain: EvmChainInfo): Promise<Consequences & { reviews: Review[] }> {
  const { decodeCall, simulate } = await loadParts();
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
    reviewingAccounts.set(request.params, from);
    const { approve, call } = await callsOf(request, chain, from);
    calls = (approve ? [approve, call] : [call]).map((reviewedCall) => {
      const { name, args } = decodeCall(reviewedCall);
      return { contract: reviewedCall.contract, address: reviewedCall.to, name, args: args.map(argumentOf) };
    });
    await simulate(approve ?? call);
    return { lines: [], reviews: [review(from, calls, t(approve ? 'crsm.review.approveHolds' : 'crsm.review.holds'))] };
  } catch (error) {
    const readableError = toReadableError(error);
    const isWalletError = readableError instanceof EvmError && readableError.code !== 'reverted';
    const blocked = isWalletError ? evmText(readableError) : t('crsm.review.fails', { reason: evmText(readableError) });
    return { lines: [], reviews: [review(from, calls, null)], blocked };
  }
}

/** `Deposit YU · CRSM #3 · 100 YU`. */
function requestTitle({ action, on, params }: CrsmRequest): string {
  const amount = params['amount'] ?? amountOf(action, on);
  const number = 'tokenId' in on ? `CRSM #${on.tokenId}` : `#${on.troveId}`;
  const hasAmount = amount !== null && amount !== undefined && /^\d+$/.test(amount) && amount !== '0';
  return [bilingualName(`crsm.${action}`), number, ...(hasAmount ? [withUnit(amountText(BigInt(amount), 18), 'YU')] : [])].join(
    ' · ',
  );
}

const amountOf = (action: CrsmAction, on: CrsmRequest['on']): string | null =>
  action === 'claimYield' && 'yieldGains' in on ? on.yieldGains : null;

/** Who pays and who receives. A call that moves nothing is on a CRSM. */
function partiesOf({ action, on, params }: CrsmRequest, chain: EvmChainInfo, from: Address | null): Party[] {
  const wallet: Party[] = from === null ? [] : [{ as: 'signer', at: evmExplorerTarget.address(from) }];
  const crsm = (role: Party['as']): Party => ({
    as: role,
    at: evmExplorerTarget.address(on.id),
    ...('tokenId' in on && { name: `CRSM #${on.tokenId}` }),
  });
  const isPaid = params['amount'] !== undefined && params['amount'] !== '0';
  const payer: Party[] = isPaid ? wallet.map((walletParty) => ({ ...walletParty, as: 'from' })) : wallet;
  const { to } = params;
  if (action === 'deposit') return [...payer, crsm('to')];
  if (action === 'create') {
    const factory = chain.contracts.crsmFactory;
    const ownerParty: Party = { as: 'of', at: evmExplorerTarget.address(on.owner), name: `#${on.troveId}` };
    return [
      ...payer,
      ...(factory && isPaid ? [{ as: 'to', at: evmExplorerTarget.address(factory), name: 'CRSMFactory' } as const] : []),
      ownerParty,
    ];
  }
  if (to !== undefined) return [crsm('from'), { as: 'to', at: evmExplorerTarget.address(to) }, ...wallet];
  return [crsm('of'), ...wallet];
}

/** The ratios that a call sets, where they change. */
function ratioChanges({ action, on, params }: CrsmRequest): { key: string; label: string; before: string; after: string }[] {
  if (action !== 'updateCR' || !('TRGCR' in on)) return [];
  return (['TRGCR', 'TARCR', 'MAX_TARCR'] as const).flatMap((name) => {
    const newValue = params[name] ?? '';
    const isChanged = /^\d+$/.test(newValue) && newValue !== on[name];
    return isChanged
      ? [
          {
            key: name,
            label: t(`crsm.field.${name}`),
            before: exactPercentText(BigInt(on[name])),
            after: exactPercentText(BigInt(newValue)),
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
  const { sendAndWait } = await loadParts();
  const from = connectedAccount();
  const reviewedAccount = reviewingAccounts.get(request.params);
  if (reviewedAccount !== undefined && reviewedAccount !== from)
    throw new EvmError('wrongAccount', { is: from, wanted: reviewedAccount });
  const chain = await api.chain.get();
  const { approve, call } = await callsOf(request, chain, from).catch(rethrow);
  const preparedCall = await prepare(api, request, from);
  await assertSameCall(preparedCall, call);
  try {
    if (approve) await sendAndWait(approve, async () => {});
    // The server finds the transaction on chain if this report fails.
    const sendResult = await sendAndWait(call, (hash) => api.crsm.sent({ id: preparedCall.id, hash }).catch(() => {}));
    return { call: preparedCall.id, ...sendResult };
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
async function assertSameCall(preparedCall: CrsmCall, call: ContractCall): Promise<void> {
  const { isSameCall } = await loadParts();
  if (!isSameCall(preparedCall, call)) throw new CommandError('BLOCKED', t('crsm.differs'), [], 'crsm.differs');
}

const maxBlockAgeMs = 5_000;

export const readYuBalance = (api: Api): Promise<bigint> =>
  readInteger(['evm', 'yu', connectedAccount()], async () => {
    const [chain, { readContract, yuAbi }] = await Promise.all([api.chain.get(), loadParts()]);
    const yuContract = { chainId: chain.chainId, to: chain.contracts.yu as Address, contract: 'YU', abi: yuAbi };
    return readContract({ ...yuContract, from: connectedAccount(), functionName: 'balanceOf', args: [connectedAccount()] });
  });

/** minNetDebt and the gas compensation. */
export const readMinDebt = (api: Api, crsm: string): Promise<bigint> =>
  readInteger(['evm', 'leastDebt', crsm], async () => {
    const [{ chainId }, { readContract, crsmAbi, borrowerOperationsAbi }] = await Promise.all([api.chain.get(), loadParts()]);
    const callBase = { chainId, from: connectedAccount(), args: [] };
    const troveManager = await readContract({
      ...callBase,
      to: crsm as Address,
      contract: 'CRSM',
      abi: crsmAbi,
      functionName: 'borrowerOperations',
    });
    const readParameter = (functionName: string) =>
      readContract({
        ...callBase,
        to: troveManager as Address,
        contract: 'BorrowerOperations',
        abi: borrowerOperationsAbi,
        functionName,
      });
    const [minNetDebt, gasCompensation] = await Promise.all([
      readParameter('minNetDebt'),
      readParameter('DEBT_GAS_COMPENSATION'),
    ]);
    return typeof minNetDebt === 'bigint' && typeof gasCompensation === 'bigint' ? minNetDebt + gasCompensation : null;
  });

async function readInteger(queryKey: string[], readValue: () => Promise<unknown>): Promise<bigint> {
  const value = await queryClient.fetchQuery({
    queryKey,
    queryFn: async () => String(await readValue()),
    staleTime: maxBlockAgeMs,
    retry: false,
  });
  return BigInt(value);
}
