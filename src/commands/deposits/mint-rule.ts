import type { DepositRow } from '../../../api/deposits/contract.ts';

/** How many more people besides who recorded it must say yes before anybody can confirm it; who confirms is one of them. */
export function missingApprovals({ rule, approvals }: Pick<DepositRow, 'rule' | 'approvals'>): number {
  return Math.max(0, (rule?.approvals ?? 0) - approvals.length);
}

/** The same for the person who would confirm now, and counts unless it is theirs or their yes is there already. */
export function missingForMe(row: Pick<DepositRow, 'rule' | 'approvals' | 'own'>): number {
  const counts = !row.own && !row.approvals.some(({ own }) => own);
  return Math.max(0, missingApprovals(row) - (counts ? 1 : 0));
}
