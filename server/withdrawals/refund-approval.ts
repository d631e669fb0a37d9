import type { GivenSignature } from '../../api/authority/signing.ts';
import { formatBtc } from '../../api/money.ts';
import type { RefundRefusal } from '../../api/withdrawals/contract.ts';
import { ineligibleError } from '../authority/shared/eligible-signers.ts';
import {
  approvedRefund,
  proposeRefund,
  readRefundApproval,
  readRefundStatus,
  signRefund,
  type RefundFields,
  type RefundApprovalStatus,
} from '../authority/shared/refund-approval.ts';
import type { deposits } from '../deposits/tables.ts';
import { checkCombination } from '../platform/auth/rights/counts-for-money.ts';
import { currentHolders } from '../platform/auth/rights/current-holders.ts';
import type { EvmConfig } from '../platform/core/config.ts';
import { requirePerson, type RequestContext, type Services } from '../platform/services/context.ts';
import { appError, type ErrorData } from '../platform/core/errors.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import type { Withdrawal } from './tables.ts';

type RefundJudgment = ReturnType<Awaited<ReturnType<typeof readRefundApproval>>>;
type WantedRefund = Parameters<typeof approvedRefund>[2];
type Deposit = typeof deposits.$inferSelect;

export const refundRefusal = (reason: RefundRefusal | 'PAYOUT' | 'SIGNATURES' | 'ROLE', data: ErrorData = {}) =>
  appError('MONEY_REFUSED', { ...data, reason });

type ChainAndBridge = Pick<WantedRefund, 'chainId' | 'bridge'>;

export const refundDeployment = ({ chainId, contracts }: EvmConfig): ChainAndBridge => ({
  chainId,
  bridge: contracts.custodyBridge,
});

/** With its nonce on the bridge, if any. */
export const requestedRefundOf = (deployment: ChainAndBridge, row: Withdrawal, nonce: number | null = null): WantedRefund => ({
  txid: row.txid,
  satoshi: row.amount.toString(),
  account: row.address,
  receiver: row.receiver,
  ...deployment,
  nonce,
});

interface Signing {
  readonly evm: EvmConfig;
  readonly row: Withdrawal;
  readonly deposit: Deposit;
  readonly authors: ReadonlySet<string>;
  /** The bridge's counter at the first proposal. */
  readonly firstNonce: number;
}

const fieldsOf = ({ evm, row, deposit, authors, firstNonce }: Signing): RefundFields => ({
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
export const proposeWithdrawal = (context: RequestContext, tx: Tx, signing: Signing) =>
  proposeRefund(context, tx, fieldsOf(signing), signing.row.statement);

/** Throws MONEY_REFUSED, also if the caller has already signed. */
export async function signWithdrawal(context: RequestContext, tx: Tx, signing: Signing, signature: GivenSignature | null) {
  const { id } = signing.row;
  const signed = await signRefund(context, tx, fieldsOf(signing), signing.row.statement, signature);
  const isFit = signed.signers.some(({ person, isEligible: fits }) => fits && person === requirePerson(context).id);
  if (!isFit) throw refundRefusal('ROLE', { id, role: [signed.band?.role ?? ''] });
  if (!signed.isNew && signed.missing > 0) throw refundRefusal('SIGNATURES', { id, missing: [String(signed.missing)] });
  return signed;
}

/** MONEY_REFUSED data. Null: fully signed. */
export function refundRefusalOf(
  judgement: RefundJudgment,
  row: Withdrawal,
  { band, missing }: RefundApprovalStatus,
): ErrorData | null {
  if (judgement === null) return { reason: 'NO_AUTHORITY' };
  const unsigned = { reason: 'UNSIGNED', missing: [String(Math.max(1, missing))] };
  const { refusal, details } = judgement;
  switch (refusal) {
    // An identical approval of an earlier withdrawal does not count.
    case null:
      return judgement.status.hash === row.statement ? null : unsigned;
    case 'NO_STATEMENT':
    case 'NOT_ENOUGH':
      return unsigned;
    case 'OTHER':
      return row.statement === null ? unsigned : { reason: 'CHANGED' };
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
export async function requireSigned(
  context: RequestContext,
  tx: Tx,
  { evm, row, authors }: Pick<Signing, 'evm' | 'row' | 'authors'>,
): Promise<void> {
  const { services } = context;
  const status = (await readRefundStatus(services, tx))({ statement: row.statement, satoshi: row.amount });
  const judgement = (await readRefundApproval(services, tx))(requestedRefundOf(refundDeployment(evm), row));
  const refusal = refundRefusalOf(judgement, row, status);
  if (refusal) throw appError('MONEY_REFUSED', { id: row.id, ...refusal });
  const eligible = status.signers
    .filter(({ person, isEligible }) => isEligible && !authors.has(person))
    .map(({ person }) => person);
  const holding = await currentHolders(tx, context, eligible, 'withdrawals.signRefund');
  const { counting, doubts } = await checkCombination(
    tx,
    eligible.filter((person) => holding.has(person)),
    { at: new Date(services.now()), coolingMs: services.config.moneyCoolingMs, coSigners: [...authors] },
  );
  const missing = (status.band?.approvals ?? 0) - counting.size;
  const [doubt] = doubts.values();
  if (missing <= 0) return;
  throw doubt ? ineligibleError(doubt, { id: row.id }) : refundRefusal('UNSIGNED', { id: row.id, missing: [String(missing)] });
}

/** Whether the request on chain is the signed refund. `at`: first seen. */
export async function isApproved(
  services: Services,
  queries: Queries,
  row: Withdrawal,
  { at, nonce, ...place }: ChainAndBridge & { readonly nonce: number; readonly at: number },
): Promise<boolean> {
  if (row.statement === null) return false;
  const statements = await approvedRefund(services, queries, requestedRefundOf(place, row, nonce), at);
  return statements?.includes(row.statement) ?? false;
}
