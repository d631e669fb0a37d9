import { canonical, canonicalHash } from '../../../api/authority/canonical.ts';
import type { SignatureInput, Proposal } from '../../../api/authority/signing.ts';
import type { AuthorityBand, RefundClaim, StatementOf } from '../../../api/authority/statements.ts';
import { buildDifferenceKey } from '../../../api/custody/difference.ts';
import { formatBtc } from '../../../api/money.ts';
import { readOpenFreezes } from '../../custody/shared/freezes.ts';
import { requirePerson, type RequestContext, type Services } from '../../platform/services/context.ts';
import { createAppError } from '../../platform/core/errors.ts';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { receiverAt, type Authority } from '../authority.ts';
import { enrollInDevelopment } from '../development.ts';
import { findStatement } from '../drafts.ts';
import { activeFreezes, countedSignersOf, type ApprovalSigner, type LedgerFreeze, type RefundApproval } from '../check-mint.ts';
import { findCoveringRefunds, isRefundApproval, checkRefund, type RefundVerdict, type RequestedRefund } from '../check-refund.ts';
import { LogError } from '../replay.ts';
import { refundBandOf, rulesAt } from '../rules.ts';
import { readAuthority } from '../store.ts';
import { requireEligibleSigners } from './eligible-signers.ts';
import { readRoleStatus } from './role-in-log.ts';
import { withLogWriter, NotSignedError, openProposal, signOpenStatement, newStatementAt } from './signing.ts';

/** In addition to the delay of the rules. */
const validityMs = 7 * 86_400_000;

export type RefundFields = Omit<RefundClaim, 'policy'>;

export interface RefundApprovalStatus {
  /** Null: no rule covers the amount. */
  readonly band: AuthorityBand | null;
  /** Signers that currently count. */
  readonly signers: readonly (ApprovalSigner & { readonly name: string })[];
  /** 0 without a band. */
  readonly missing: number;
}

/** By hash of the statement, under the rules in force. */
export function refundApprovalStatus(
  authority: Authority,
  { statement, satoshi }: { readonly statement: string | null; readonly satoshi: bigint },
  now: number,
): RefundApprovalStatus {
  const band = refundBandOf(rulesAt(authority.policies, now).policy, satoshi);
  const status = statement === null ? undefined : authority.statements.get(statement);
  const countedSigners =
    status && isRefundApproval(status) && isOpenApproval(authority, status, now)
      ? countedSignersOf(authority, status, band ?? { role: null }, now)
      : [];
  const signers = countedSigners.map((signer) => ({ ...signer, name: authority.names.get(signer.person) ?? signer.person }));
  return { band, signers, missing: Math.max(0, (band?.approvals ?? 0) - signers.filter(({ isEligible }) => isEligible).length) };
}

/** Without a valid log there are no signatures. */
export async function readRefundStatus(
  services: Services,
  queries: Queries,
): Promise<(request: { readonly statement: string | null; readonly satoshi: bigint }) => RefundApprovalStatus> {
  const authority = await readAuthorityOrNull(services, queries);
  return (request) =>
    authority ? refundApprovalStatus(authority, request, services.now()) : { band: null, signers: [], missing: 0 };
}

/** Reuses `knownStatement` if it matches. Null: the server signs (demo). Throws MONEY_REFUSED. */
export const proposeRefund = (
  context: RequestContext,
  tx: Tx,
  fields: RefundFields,
  knownStatement: string | null,
): Promise<Proposal> =>
  withRefundErrors(() =>
    withLogWriter(tx, context.services, async (log) => {
      await requirePermissionToSign(context, tx, log.state(), fields, knownStatement);
      return openProposal(tx, context.services, log, signerFromContext(context), () =>
        findOrCreateStatement(context, tx, log.state(), fields, knownStatement),
      );
    }),
  );

/**
 * Without a signature, a demo uses the software key. `isNew`: the caller had not signed. Throws MONEY_REFUSED for a caller who
 * does not count or wrote the withdrawal, without a band, and above the daily limit.
 */
export const signRefund = (
  context: RequestContext,
  tx: Tx,
  fields: RefundFields,
  knownStatement: string | null,
  signature: SignatureInput | null,
): Promise<RefundApprovalStatus & { readonly isNew: boolean; readonly statement: string }> =>
  withRefundErrors(() =>
    withLogWriter(tx, context.services, async (log) => {
      const { now } = context.services;
      const signer = signerFromContext(context);
      await requirePermissionToSign(context, tx, log.state(), fields, knownStatement);
      await enrollInDevelopment(tx, log, signer);
      const statement = await findOrCreateStatement(context, tx, log.state(), fields, knownStatement);
      const isNew = await signOpenStatement(tx, log, statement, signer, signature);
      const hash = canonicalHash(statement);
      const status = refundApprovalStatus(log.state(), { statement: hash, satoshi: BigInt(fields.satoshi) }, now());
      requireDailyAllowance(log.state(), fields, now());
      return { ...status, isNew, statement: hash };
    }),
  );

/** Null: no valid log. */
export async function readRefundApproval(
  services: Services,
  queries: Queries,
): Promise<(requestedRefund: RequestedRefund) => RefundVerdict | null> {
  const authority = await readAuthorityOrNull(services, queries);
  const freezes = await readLedgerFreezes(queries);
  return (requestedRefund) => authority && checkRefund(authority, requestedRefund, { now: services.now(), freezes });
}

export const readRefundVerdict = async (
  services: Services,
  queries: Queries,
  requestedRefund: RequestedRefund,
): Promise<RefundVerdict | null> => (await readRefundApproval(services, queries))(requestedRefund);

/**
 * Hashes of approvals that cover the request made at `at` (milliseconds). One approval covers one request. Null: no valid log.
 */
export async function findApprovedRefund(
  services: Services,
  queries: Queries,
  requestedRefund: RequestedRefund,
  requestTime: number,
): Promise<readonly string[] | null> {
  const authority = await readAuthorityOrNull(services, queries);
  return authority && findCoveringRefunds(authority, requestedRefund, requestTime);
}

/** In force. Empty if the address book lacks the account. */
export async function readPayoutAddresses(services: Services, queries: Queries, account: string): Promise<readonly string[]> {
  const authority = await readAuthorityOrNull(services, queries);
  return (authority && receiverAt(authority, account, services.now())?.payout) ?? [];
}

/** By the person's keys and roles; none without a log. */
export async function readSignableBands(services: Services, queries: Queries, person: string): Promise<readonly AuthorityBand[]> {
  const authority = await readAuthorityOrNull(services, queries);
  if (!authority) return [];
  const { refundBands } = rulesAt(authority.policies, services.now()).policy;
  const roleStatuses = await Promise.all(refundBands.map(({ role }) => readRoleStatus(services, queries, person, role)));
  return refundBands.filter((_, index) => roleStatuses[index] === 'fit');
}

const readLedgerFreezes = async (queries: Queries): Promise<LedgerFreeze[]> =>
  (await readOpenFreezes(queries)).map((freeze) => ({ id: freeze.id, difference: buildDifferenceKey(freeze) }));

async function readAuthorityOrNull(services: Services, queries: Queries): Promise<Authority | null> {
  try {
    return await readAuthority(services, queries);
  } catch (error) {
    if (error instanceof LogError) return null;
    throw error;
  }
}

const isOpenApproval = ({ policies }: Authority, { statement }: Pick<RefundApproval, 'statement'>, now: number): boolean =>
  now <= Date.parse(statement.expires) && statement.content.policy === rulesAt(policies, now).number;

const signerFromContext = (context: RequestContext) => {
  const { id: person, email: name } = requirePerson(context);
  return { person, name };
};

/** Throws MONEY_REFUSED. */
async function requirePermissionToSign(
  context: RequestContext,
  tx: Tx,
  authority: Authority,
  { authors, account, payout, satoshi }: RefundFields,
  knownStatement: string | null,
): Promise<void> {
  const { now } = context.services;
  if (activeFreezes(authority, { now: now(), freezes: await readLedgerFreezes(tx) }).length > 0)
    throw createAppError('MONEY_FROZEN');
  const entry = receiverAt(authority, account, now());
  if (!entry) throw createAppError('MONEY_REFUSED', { reason: 'ACCOUNT' });
  if (!entry.payout.includes(payout)) throw createAppError('MONEY_REFUSED', { reason: 'PAYOUT' });
  if (!refundBandOf(rulesAt(authority.policies, now()).policy, BigInt(satoshi))) throw new NotSignedError('NO_POLICY');
  const { id } = requirePerson(context);
  if (authors.includes(id)) throw createAppError('MONEY_REFUSED', { reason: 'REFUND_AUTHOR' });
  const status = knownStatement === null ? undefined : authority.statements.get(knownStatement);
  const signers = [...(status?.signed.keys() ?? [])].filter((person) => person !== id);
  await requireEligibleSigners(context, tx, { signers, coSigners: authors });
}

async function findOrCreateStatement(
  { services }: RequestContext,
  tx: Tx,
  authority: Authority,
  fields: RefundFields,
  knownStatement: string | null,
): Promise<StatementOf<'refund.approve'>> {
  const now = services.now();
  const { number, policy } = rulesAt(authority.policies, now);
  const content: RefundClaim = { ...fields, policy: number };
  const statement = knownStatement === null ? null : await findStatement(tx, authority, knownStatement);
  const isSameClaim = statement?.kind === 'refund.approve' && canonical(statement.content) === canonical(content);
  if (isSameClaim && isOpenApproval(authority, { statement }, now)) return statement;
  const { delaySeconds = 0 } = refundBandOf(policy, BigInt(fields.satoshi)) ?? {};
  return newStatementAt(services, authority, 'refund.approve', content, validityMs + delaySeconds * 1000);
}

/** Throws MONEY_REFUSED if this signature completes the approval and exceeds the daily limit. */
function requireDailyAllowance(authority: Authority, { account, payout, ...fields }: RefundFields, now: number): void {
  const requestedRefund = { ...fields, account, receiver: payout };
  const { refusal } = checkRefund(authority, requestedRefund, { now, freezes: [] });
  if (refusal !== 'DAY_LIMIT') return;
  const band = refundBandOf(rulesAt(authority.policies, now).policy, BigInt(fields.satoshi));
  throw createAppError('MONEY_REFUSED', { reason: 'REFUND_DAY_LIMIT', limit: [formatBtc(BigInt(band?.perDay ?? '0'))] });
}

async function withRefundErrors<T>(runAction: () => Promise<T>): Promise<T> {
  try {
    return await runAction();
  } catch (error) {
    if (!(error instanceof NotSignedError)) throw error;
    const { reason, problem } = error;
    throw createAppError('MONEY_REFUSED', { reason, ...(problem !== null && { problem: [problem] }) });
  }
}
