import type { AuthorityPolicy, Genesis, Receiver, Statement } from '../../api/authority/statements.ts';
import { isLookAlike } from '../../api/look-alikes.ts';

export interface ComparedNames {
  readonly people: ReadonlyMap<string, { readonly name: string }>;
  readonly receivers: readonly Receiver[];
  readonly policies: readonly { readonly policy: AuthorityPolicy }[];
}

/** Among approvers, and among institutions. */
export function hasMisleadingNames({ approvers, receivers }: Pick<Genesis, 'approvers' | 'receivers'>): boolean {
  const isConfusable = (left: string, candidate: string) => left === candidate || isLookAlike(left, candidate);
  return (
    approvers.some(({ person, name }) =>
      approvers.some((candidate) => candidate.person !== person && isConfusable(name, candidate.name)),
    ) || receivers.some(({ institution }) => receivers.some((candidate) => isLookAlike(institution, candidate.institution)))
  );
}

export function hasMisleadingName(statement: Statement, { people, receivers, policies }: ComparedNames): boolean {
  switch (statement.kind) {
    case 'approver.add': {
      const { person, name, roles } = statement.content;
      const otherNames = [...people].flatMap(([id, otherPerson]) => (id === person ? [] : otherPerson.name));
      const policyRoles = policies.flatMap(({ policy }) =>
        [...policy.bands, ...policy.refundBands].flatMap(({ role }) => role ?? []),
      );
      return (
        otherNames.some((candidate) => candidate === name || isLookAlike(candidate, name)) ||
        roles.some((role) => policyRoles.some((candidate) => isLookAlike(candidate, role)))
      );
    }
    case 'approver.remove':
      return people.get(statement.content.person)?.name !== statement.content.name;
    case 'receiver.add':
      return receivers.some(({ institution }) => isLookAlike(institution, statement.content.institution));
    case 'custody.add':
      return receivers.some(
        ({ institution }) => institution === statement.content.note || isLookAlike(institution, statement.content.note),
      );
    case 'policy.set':
    case 'minter.set':
    case 'custody.remove':
    case 'receiver.remove':
    case 'mint.approve':
    case 'mint.cancel':
    case 'refund.approve':
    case 'freeze':
    case 'unfreeze':
      return false;
  }
}
