import type { Authority, CountedSignature, StatementStatus } from './authority.ts';
import { requiredSignatures, rulesAt } from './rules.ts';

type OpenStatementStatus = Pick<StatementStatus, 'statement' | 'signed' | 'passedAt'>;

export const isCountedSignature = (
  { people }: Authority,
  { passedAt }: OpenStatementStatus,
  person: string,
  { key }: CountedSignature,
): boolean => key !== null && (passedAt !== null || (people.get(person)?.keys.includes(key) ?? false));

/** Under the rules in force, including the owner of a key that is enrolled. */
export function countRemainingSignatures(authority: Authority, status: OpenStatementStatus, now: number): number {
  const { statement, signed, passedAt } = status;
  if (passedAt !== null) return 0;
  const countedSignatures = [...signed].filter(([person, signature]) =>
    isCountedSignature(authority, status, person, signature),
  ).length;
  const isOwnerMissing = statement.kind === 'approver.add' && !signed.has(statement.content.person);
  const neededSignatures = requiredSignatures(statement, rulesAt(authority.policies, now).policy);
  return Math.max(0, neededSignatures - countedSignatures) + (isOwnerMissing ? 1 : 0);
}
