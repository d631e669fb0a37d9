import type { Authority, Signed, Standing } from './authority.ts';
import { neededBy, rulesAt } from './rules.ts';

type Open = Pick<Standing, 'statement' | 'signed' | 'passedAt'>;

export const isCounted = ({ people }: Authority, { passedAt }: Open, person: string, { key }: Signed): boolean =>
  key !== null && (passedAt !== null || (people.get(person)?.keys.includes(key) ?? false));

/** Under the rules in force, including the owner of a key that is enrolled. */
export function remainingOf(authority: Authority, standing: Open, now: number): number {
  const { statement, signed, passedAt } = standing;
  if (passedAt !== null) return 0;
  const counted = [...signed].filter(([person, one]) => isCounted(authority, standing, person, one)).length;
  const isOwnerMissing = statement.kind === 'approver.add' && !signed.has(statement.content.person);
  const needed = neededBy(statement, rulesAt(authority.policies, now).policy);
  return Math.max(0, needed - counted) + (isOwnerMissing ? 1 : 0);
}
