import type { AuthorityPolicy, Genesis, Receiver, Statement } from '../../api/authority/statements.ts';
import { isLookAlike } from '../../api/look-alikes.ts';

export interface ComparedNames {
  readonly people: ReadonlyMap<string, { readonly name: string }>;
  readonly receivers: readonly Receiver[];
  readonly policies: readonly { readonly policy: AuthorityPolicy }[];
}

/** Among approvers, and among institutions. */
export function areMisleading({ approvers, receivers }: Pick<Genesis, 'approvers' | 'receivers'>): boolean {
  const isLike = (one: string, other: string) => one === other || isLookAlike(one, other);
  return (
    approvers.some(({ person, name }) => approvers.some((other) => other.person !== person && isLike(name, other.name))) ||
    receivers.some(({ institution }) => receivers.some((other) => isLookAlike(institution, other.institution)))
  );
}

export function isMisleading(statement: Statement, { people, receivers, policies }: ComparedNames): boolean {
  switch (statement.kind) {
    case 'approver.add': {
      const { person, name, roles } = statement.content;
      const others = [...people].flatMap(([id, other]) => (id === person ? [] : other.name));
      const ruled = policies.flatMap(({ policy }) => [...policy.bands, ...policy.refundBands].flatMap(({ role }) => role ?? []));
      return (
        others.some((other) => other === name || isLookAlike(other, name)) ||
        roles.some((role) => ruled.some((other) => isLookAlike(other, role)))
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
