import { canonical, hashOf } from '../../../api/authority/canonical.ts';
import type { Given, Proposal } from '../../../api/authority/signing.ts';
import type { AuthorityBand, RefundClaim, StatementOf } from '../../../api/authority/statements.ts';
import { differenceOf } from '../../../api/custody/difference.ts';
import { formatBtc } from '../../../api/money.ts';
import { openFreezes } from '../../custody/shared/freezes.ts';
import { actorOf, type RequestContext, type Services } from '../../platform/core/context.ts';
import { failure } from '../../platform/core/errors.ts';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { receiverAt, type Authority } from '../authority.ts';
import { enrolInDevelopment } from '../development.ts';
import { statementBy } from '../drafts.ts';
import { freezesNow, signersOf, type ApprovalSigner, type LedgerFreeze, type RefundApproval } from '../judge.ts';
import { coveringRefunds, isRefund, judgeRefund, type RefundJudgement, type WantedRefund } from '../judge-refund.ts';
import { LogError } from '../replay.ts';
import { refundBandOf, rulesAt } from '../rules.ts';
import { readAuthority } from '../store.ts';
import { requireCounting } from './counting.ts';
import { roleInLog } from './role-in-log.ts';
import { draft, NotSignedError, proposing, sign, statementNow } from './signing.ts';

// Bitcoin is sent out once people signed for it. A withdrawal proposes and signs here, asks here before a wallet is opened, and its
// watcher asks here whether a request that the chain has is covered.

/** How long a refund can be signed for and requested, besides the delay of the rules. */
const validMs = 7 * 86_400_000;

/** What a withdrawal says of its refund, without what the log knows itself. */
export type RefundFields = Omit<RefundClaim, 'policy'>;

/** What the log asks for a refund of an amount, and who signed for it. */
export interface RefundStanding {
  /** Of the rules in force; null: they have no such amount. */
  readonly band: AuthorityBand | null;
  /** Those of its signers who count now, with their names. */
  readonly signers: readonly (ApprovalSigner & { readonly name: string })[];
  /** How many more have to sign; 0 where there is no band. */
  readonly missing: number;
}

/** How a refund stands, by the statement (its hash) that people sign for it, under the rules of now. */
export function refundStanding(
  authority: Authority,
  { statement, satoshi }: { readonly statement: string | null; readonly satoshi: bigint },
  now: number,
): RefundStanding {
  const band = refundBandOf(rulesAt(authority.policies, now).policy, satoshi);
  const standing = statement === null ? undefined : authority.statements.get(statement);
  const counting =
    standing && isRefund(standing) && isOpen(authority, standing, now)
      ? signersOf(authority, standing, band ?? { role: null }, now)
      : [];
  const signers = counting.map((one) => ({ ...one, name: authority.names.get(one.person) ?? one.person }));
  return { band, signers, missing: Math.max(0, (band?.approvals ?? 0) - signers.filter(({ isFit }) => isFit).length) };
}

/** `refundStanding` of the log as it is now. Without a log, or with one that does not fit, nobody has signed. */
export async function readRefundStanding(
  services: Services,
  queries: Queries,
): Promise<(asked: { readonly statement: string | null; readonly satoshi: bigint }) => RefundStanding> {
  const authority = await believed(services, queries);
  return (asked) => (authority ? refundStanding(authority, asked, services.now()) : { band: null, signers: [], missing: 0 });
}

/**
 * The statement for a refund that who acts can sign: `known`, where it still says just this, else a new one. Null where the server
 * signs for them (a demo). Throws MONEY_REFUSED.
 */
export const proposeRefund = (context: RequestContext, tx: Tx, fields: RefundFields, known: string | null): Promise<Proposal> =>
  refusing(() =>
    draft(tx, context.services, async (log) => {
      await requireMaySign(context, tx, log.state(), fields, known);
      return proposing(tx, context.services, log, signerOf(context), () =>
        openStatement(context, tx, log.state(), fields, known),
      );
    }),
  );

/**
 * Signs a refund as who acts: with the signature given, or in a demo with their software key. `isNew`: they had not signed it yet.
 * Throws MONEY_REFUSED: an account that does not count, someone who recorded or edited the withdrawal, no band, no room today.
 */
export const signRefund = (
  context: RequestContext,
  tx: Tx,
  fields: RefundFields,
  known: string | null,
  given: Given | null,
): Promise<RefundStanding & { readonly isNew: boolean; readonly statement: string }> =>
  refusing(() =>
    draft(tx, context.services, async (log) => {
      const { now } = context.services;
      const signer = signerOf(context);
      await requireMaySign(context, tx, log.state(), fields, known);
      await enrolInDevelopment(tx, log, signer);
      const statement = await openStatement(context, tx, log.state(), fields, known);
      const isNew = await sign(tx, log, statement, signer, given);
      const hash = hashOf(statement);
      const standing = refundStanding(log.state(), { statement: hash, satoshi: BigInt(fields.satoshi) }, now());
      requireRoomToday(log.state(), fields, now());
      return { ...standing, isNew, statement: hash };
    }),
  );

/** Whether a wallet may be opened for a refund now, and why not. Null: there is no log, or one that does not fit. */
export async function readRefundApproval(
  services: Services,
  queries: Queries,
): Promise<(wanted: WantedRefund) => RefundJudgement | null> {
  const authority = await believed(services, queries);
  const freezes = await ledgerFreezes(queries);
  return (wanted) => authority && judgeRefund(authority, wanted, { now: services.now(), freezes });
}

/** `readRefundApproval` of one refund. */
export const refundApproval = async (
  services: Services,
  queries: Queries,
  wanted: WantedRefund,
): Promise<RefundJudgement | null> => (await readRefundApproval(services, queries))(wanted);

/**
 * The statements that cover a request which the chain has, by hash; one statement covers one request. `at`: when it was made, in
 * milliseconds. Null: there is no log, or one that does not fit.
 */
export async function coveredRefund(
  services: Services,
  queries: Queries,
  requested: WantedRefund,
  at: number,
): Promise<readonly string[] | null> {
  const authority = await believed(services, queries);
  return authority && coveringRefunds(authority, requested, at);
}

/** The payout addresses in force of the institution that holds an EVM address; none where the address book does not name it. */
export async function payoutsOf(services: Services, queries: Queries, account: string): Promise<readonly string[]> {
  const authority = await believed(services, queries);
  return (authority && receiverAt(authority, account, services.now())?.payout) ?? [];
}

/** The bands of refunds that a person may sign now, by their keys and roles; none without a log. */
export async function signableBands(services: Services, queries: Queries, person: string): Promise<readonly AuthorityBand[]> {
  const authority = await believed(services, queries);
  if (!authority) return [];
  const { refundBands } = rulesAt(authority.policies, services.now()).policy;
  const standings = await Promise.all(refundBands.map(({ role }) => roleInLog(services, queries, person, role)));
  return refundBands.filter((_, at) => standings[at] === 'fit');
}

const ledgerFreezes = async (queries: Queries): Promise<LedgerFreeze[]> =>
  (await openFreezes(queries)).map((freeze) => ({ id: freeze.id, difference: differenceOf(freeze) }));

async function believed(services: Services, queries: Queries): Promise<Authority | null> {
  try {
    return await readAuthority(services, queries);
  } catch (error) {
    if (error instanceof LogError) return null;
    throw error;
  }
}

/** Whether people may still sign it and rely on it. */
const isOpen = ({ policies }: Authority, { statement }: Pick<RefundApproval, 'statement'>, now: number): boolean =>
  now <= Date.parse(statement.expires) && statement.content.policy === rulesAt(policies, now).number;

const signerOf = (context: RequestContext) => {
  const { id: person, email: name } = actorOf(context);
  return { person, name };
};

/** Throws MONEY_REFUSED unless who acts may sign this refund, whoever signed before, for an address that is the institution's own. */
async function requireMaySign(
  context: RequestContext,
  tx: Tx,
  authority: Authority,
  { authors, account, payout, satoshi }: RefundFields,
  known: string | null,
): Promise<void> {
  const { now } = context.services;
  if (freezesNow(authority, { now: now(), freezes: await ledgerFreezes(tx) }).length > 0) throw failure('MONEY_FROZEN');
  const entry = receiverAt(authority, account, now());
  if (!entry) throw failure('MONEY_REFUSED', { reason: 'ACCOUNT' });
  if (!entry.payout.includes(payout)) throw failure('MONEY_REFUSED', { reason: 'PAYOUT' });
  if (!refundBandOf(rulesAt(authority.policies, now()).policy, BigInt(satoshi))) throw new NotSignedError('NO_POLICY');
  const { id } = actorOf(context);
  if (authors.includes(id)) throw failure('MONEY_REFUSED', { reason: 'REFUND_AUTHOR' });
  const standing = known === null ? undefined : authority.statements.get(known);
  const signers = [...(standing?.signed.keys() ?? [])].filter((person) => person !== id);
  await requireCounting(context, tx, { signers, besides: authors });
}

/** `known`, when it says just this under the rules of now and can still be signed; else proposed anew. */
async function openStatement(
  { services }: RequestContext,
  tx: Tx,
  authority: Authority,
  fields: RefundFields,
  known: string | null,
): Promise<StatementOf<'refund.approve'>> {
  const now = services.now();
  const { number, policy } = rulesAt(authority.policies, now);
  const content: RefundClaim = { ...fields, policy: number };
  const statement = known === null ? null : await statementBy(tx, authority, known);
  const isSame = statement?.kind === 'refund.approve' && canonical(statement.content) === canonical(content);
  if (isSame && isOpen(authority, { statement }, now)) return statement;
  const { delaySeconds = 0 } = refundBandOf(policy, BigInt(fields.satoshi)) ?? {};
  return statementNow(services, authority, 'refund.approve', content, validMs + delaySeconds * 1000);
}

/** Throws MONEY_REFUSED when this signature was the last one, and the band has less than this left of the day. */
function requireRoomToday(authority: Authority, { account, payout, ...fields }: RefundFields, now: number): void {
  const wanted = { ...fields, account, receiver: payout };
  const { refusal } = judgeRefund(authority, wanted, { now, freezes: [] });
  if (refusal !== 'DAY_LIMIT') return;
  const band = refundBandOf(rulesAt(authority.policies, now).policy, BigInt(fields.satoshi));
  throw failure('MONEY_REFUSED', { reason: 'REFUND_DAY_LIMIT', limit: [formatBtc(BigInt(band?.perDay ?? '0'))] });
}

async function refusing<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof NotSignedError)) throw error;
    const { reason, problem } = error;
    throw failure('MONEY_REFUSED', { reason, ...(problem !== null && { problem: [problem] }) });
  }
}
