import type { AuthorityBand, AuthorityPolicy, Genesis, LogStatement, StatementOf } from '../../api/authority/statements.ts';

/** Start by the reader's clock and by the log's own times. */
export interface Rules {
  readonly number: number;
  readonly policy: AuthorityPolicy;
  readonly from: number;
  readonly saidFrom: number;
}

export function rulesAt(policies: readonly Rules[], instant: number): Rules {
  const currentRules = policies.findLast(({ from }) => from <= instant);
  if (!currentRules) throw new Error('a log without rules');
  return currentRules;
}

export type ApprovalStatement = StatementOf<'mint.approve' | 'refund.approve'>;

export const isApproval = (statement: LogStatement): statement is ApprovalStatement =>
  statement.kind === 'mint.approve' || statement.kind === 'refund.approve';

const findBand = (bands: readonly AuthorityBand[], satoshi: bigint): AuthorityBand | null =>
  bands.find(({ from, below }) => BigInt(from) <= satoshi && (below === null || satoshi < BigInt(below))) ?? null;

/** Null: not minted. */
export const bandOf = ({ bands }: Pick<AuthorityPolicy, 'bands'>, satoshi: bigint): AuthorityBand | null =>
  findBand(bands, satoshi);

/** Null: not paid. */
export const refundBandOf = ({ refundBands }: Pick<AuthorityPolicy, 'refundBands'>, satoshi: bigint): AuthorityBand | null =>
  findBand(refundBands, satoshi);

const bandOfStatement = ({ kind, content: { satoshi } }: ApprovalStatement, policy: AuthorityPolicy): AuthorityBand | null =>
  (kind === 'mint.approve' ? bandOf : refundBandOf)(policy, BigInt(satoshi));

export function requiredSignatures(statement: LogStatement, policy: AuthorityPolicy): number {
  switch (statement.kind) {
    case 'genesis':
      return 0;
    case 'freeze':
    case 'mint.cancel':
      return 1;
    case 'unfreeze':
    case 'receiver.add':
    case 'receiver.remove':
      return 2;
    case 'mint.approve':
    case 'refund.approve':
      return bandOfStatement(statement, policy)?.approvals ?? Infinity;
    case 'approver.add':
    case 'approver.remove':
    case 'policy.set':
    case 'minter.set':
    case 'custody.add':
    case 'custody.remove':
      return policy.root;
  }
}

/** Milliseconds between enough signatures and effect. */
export function delayMsOf(statement: LogStatement, policy: AuthorityPolicy): number {
  switch (statement.kind) {
    case 'approver.add':
    case 'policy.set':
    case 'minter.set':
    case 'custody.add':
    case 'receiver.add':
      return policy.coolingSeconds * 1000;
    case 'mint.approve':
    case 'refund.approve':
      return (bandOfStatement(statement, policy)?.delaySeconds ?? 0) * 1000;
    case 'genesis':
    case 'approver.remove':
    case 'custody.remove':
    case 'receiver.remove':
    case 'mint.cancel':
    case 'freeze':
    case 'unfreeze':
      return 0;
  }
}

/** Bands must not overlap, and each needs a limit. A real log needs two people to change rules, and lists every receiver. */
export function isInvalidPolicy(
  { bands, refundBands, root, receivers }: AuthorityPolicy,
  { development }: Pick<Genesis, 'development'>,
): boolean {
  if (!development && (root < 2 || receivers !== 'listed')) return true;
  return hasInvalidBands(bands) || hasInvalidBands(refundBands);
}

function hasInvalidBands(bands: readonly AuthorityBand[]): boolean {
  const sortedBands = bands.toSorted((a, b) => (BigInt(a.from) < BigInt(b.from) ? -1 : 1));
  return sortedBands.some(({ from, below }, index) => {
    const nextBand = sortedBands[index + 1];
    if (below !== null && BigInt(below) <= BigInt(from)) return true;
    return nextBand !== undefined && (below === null || BigInt(below) > BigInt(nextBand.from));
  });
}
