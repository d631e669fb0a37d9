import type { Authority, CountedSignature, StatementStatus } from './authority.ts';
import { requiredSignatures, rulesAt } from './rules.ts';

type Open = Pick<StatementStatus, 'statement' | 'signed' | 'passedAt'>;

export const isCounted = ({ people }: Authority, { passedAt }: Open, person: string, { key }: CountedSignature): boolean =>
  key !== null && (passedAt !== null || (people.get(person)?.keys.includes(key) ?? false));

/** Under the rules in force, including the owner of a key that is enrolled. */
export function remainingOf(authority: Authority, status: Open, now: number): number {
  const { statement, signed, passedAt } = status;
  if (passedAt !== null) return 0;
  const counted = [...signed].filter(([person, one]) => isCounted(authority, status, person, one)).length;
  const isOwnerMissing = statement.kind === 'approver.add' && !signed.has(statement.content.person);
  const needed = requiredSignatures(statement, rulesAt(authority.policies, now).policy);
  return Math.max(0, needed - counted) + (isOwnerMissing ? 1 : 0);
}
