import type { SignatureInput } from '../../api/authority/signing.ts';
import { formatBtc } from '../../api/money.ts';
import type { RefundRefusal } from '../../api/withdrawals/contract.ts';
import { ineligibleError } from '../authority/shared/eligible-signers.ts';
import {
  findApprovedRefund,
  proposeRefund,
  readRefundApproval,
  readRefundStatus,
  signRefund,
  type RefundFields,
  type RefundApprovalStatus,
} from '../authority/shared/refund-approval.ts';
import type { deposits } from '../deposits/tables.ts';
import { checkSignerCombination } from '../platform/auth/rights/counts-for-money.ts';
import { lockCurrentHolders } from '../platform/auth/rights/current-holders.ts';
import type { EvmConfig } from '../platform/core/config.ts';
import { requirePerson, type RequestContext, type Services } from '../platform/services/context.ts';
import { createAppError, type ErrorData } from '../platform/core/errors.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import type { Withdrawal } from './tables.ts';

type RefundJudgment = ReturnType<Awaited<ReturnType<typeof readRefundApproval>>>;
type RequestedRefundInput = Parameters<typeof findApprovedRefund>[2];
type Deposit = typeof deposits.$inferSelect;

export const createRefundRefusal = (reason: RefundRefusal | 'PAYOUT' | 'SIGNATURES' | 'ROLE', data: ErrorData = {}) =>
  createAppError('MONEY_REFUSED', { ...data, reason });

type ChainAndBridge = Pick<RequestedRefundInput, 'chainId' | 'bridge'>;

export const refundDeployment = ({ chainId, contracts }: EvmConfig): ChainAndBridge => ({
  chainId,
  bridge: contracts.custodyBridge,
});

/** With its nonce on the bridge, if any. */
export const requestedRefundOf = (
  deployment: ChainAndBridge,
  row: Withdrawal,
  nonce: number | null = null,
): RequestedRefundInput => ({
  txid: row.txid,
  satoshi: row.amount.toString(),
  account: row.address,
  receiver: row.receiver,
  ...deployment,
  nonce,
});

interface SigningInput {
  readonly evm: EvmConfig;
  readonly row: Withdrawal;
  readonly deposit: Deposit;
  readonly authors: ReadonlySet<string>;
  /** The bridge's counter at the first proposal. */
  readonly firstNonce: number;
}

const refundFieldsOf = ({ evm, row, deposit, authors, firstNonce }: SigningInput): RefundFields => ({
  network: deposit.network,
  txid: row.txid,
  vout: deposit.vout,
  satoshi: row.amount.toString(),
  account: row.address,
  payout: row.receiver,
  ...refundDeployment(evm),
  nonce: firstNonce,
  authors: [...authors].toSorted(),
});

/** Null: the server signs for the caller. Throws MONEY_REFUSED. */
export const proposeWithdrawal = (context: RequestContext, tx: Tx, signingInput: SigningInput) =>
  proposeRefund(context, tx, refundFieldsOf(signingInput), signingInput.row.statement);

/** Throws MONEY_REFUSED, also if the caller has already signed. */
export async function signWithdrawal(
  context: RequestContext,
  tx: Tx,
  signingInput: SigningInput,
  signature: SignatureInput | null,
) {
  const { id } = signingInput.row;
  const signResult = await signRefund(context, tx, refundFieldsOf(signingInput), signingInput.row.statement, signature);
  const isEligibleSigner = signResult.signers.some(
    ({ person, isEligible: hasRequiredRole }) => hasRequiredRole && person === requirePerson(context).id,
  );
  if (!isEligibleSigner) throw createRefundRefusal('ROLE', { id, role: [signResult.band?.role ?? ''] });
  if (!signResult.isNew && signResult.missing > 0)
    throw createRefundRefusal('SIGNATURES', { id, missing: [String(signResult.missing)] });
  return signResult;
}

/** MONEY_REFUSED data. Null: fully signed. */
export function findRefundRefusal(
  judgment: RefundJudgment,
  row: Withdrawal,
  { band, missing }: RefundApprovalStatus,
): ErrorData | null {
  if (judgment === null) return { reason: 'NO_AUTHORITY' };
  const unsignedRefusal = { reason: 'UNSIGNED', missing: [String(Math.max(1, missing))] };
  const { refusal, details } = judgment;
  switch (refusal) {
    // An identical approval of an earlier withdrawal does not count.
    case null:
      return judgment.status.hash === row.statement ? null : unsignedRefusal;
    case 'NO_STATEMENT':
    case 'NOT_ENOUGH':
      return unsignedRefusal;
    case 'OTHER':
      return row.statement === null ? unsignedRefusal : { reason: 'CHANGED' };
    case 'ROLE':
      return { reason: 'ROLE', role: [band?.role ?? ''] };
    case 'NO_BAND':
      return { reason: 'NO_POLICY' };
    case 'OLD_POLICY':
      return { reason: 'OLD_RULES' };
    case 'DELAY':
      return { reason: 'DELAY', until: [details ?? ''] };
    case 'DAY_LIMIT':
      return { reason: 'REFUND_DAY_LIMIT', limit: [formatBtc(BigInt(band?.perDay ?? '0'))] };
    case 'EXPIRED':
    case 'FROZEN':
    case 'ACCOUNT':
    case 'PAYOUT':
      return { reason: refusal };
  }
}

/** A rejected deposit may have no bitcoin to refund. */
export const blockedErrorData = (block: string | null): ErrorData | null =>
  block === null ? null : { reason: 'BLOCKED', said: [block] };

/** Throws MONEY_REFUSED unless enough signers count, still have the permission, and did not record the deposit or the withdrawal. */
export async function requireSignedRefund(
  context: RequestContext,
  tx: Tx,
  { evm, row, authors }: Pick<SigningInput, 'evm' | 'row' | 'authors'>,
): Promise<void> {
  const { services } = context;
  const status = (await readRefundStatus(services, tx))({ statement: row.statement, satoshi: row.amount });
  const judgment = (await readRefundApproval(services, tx))(requestedRefundOf(refundDeployment(evm), row));
  const refusal = findRefundRefusal(judgment, row, status);
  if (refusal) throw createAppError('MONEY_REFUSED', { id: row.id, ...refusal });
  const eligibleIds = status.signers
    .filter(({ person, isEligible }) => isEligible && !authors.has(person))
    .map(({ person }) => person);
  const permissionHolders = await lockCurrentHolders(tx, context, eligibleIds, 'withdrawals.signRefund');
  const { counting, doubts } = await checkSignerCombination(
    tx,
    eligibleIds.filter((person) => permissionHolders.has(person)),
    { at: new Date(services.now()), coolingMs: services.config.moneyCoolingMs, coSigners: [...authors] },
  );
  const missingCount = (status.band?.approvals ?? 0) - counting.size;
  const [ineligibleReason] = doubts.values();
  if (missingCount <= 0) return;
  throw ineligibleReason
    ? ineligibleError(ineligibleReason, { id: row.id })
    : createRefundRefusal('UNSIGNED', { id: row.id, missing: [String(missingCount)] });
}

/** Whether the request on chain is the signed refund. `at`: first seen. */
export async function isRefundApproved(
  services: Services,
  queries: Queries,
  row: Withdrawal,
  { at, nonce, ...deployment }: ChainAndBridge & { readonly nonce: number; readonly at: number },
): Promise<boolean> {
  if (row.statement === null) return false;
  const statements = await findApprovedRefund(services, queries, requestedRefundOf(deployment, row, nonce), at);
  return statements?.includes(row.statement) ?? false;
}
