import type { AuthorityPolicy, Genesis, Receiver, Statement } from '../../api/authority/statements.ts';
import { looksLike } from '../../api/look-alikes.ts';

export interface KnownNames {
  readonly people: ReadonlyMap<string, { readonly name: string }>;
  readonly receivers: readonly Receiver[];
  readonly policies: readonly { readonly policy: AuthorityPolicy }[];
}

/** Among approvers, and among institutions. */
export function areMisleading({ approvers, receivers }: Pick<Genesis, 'approvers' | 'receivers'>): boolean {
  const isLike = (one: string, other: string) => one === other || looksLike(one, other);
  return (
    approvers.some(({ person, name }) => approvers.some((other) => other.person !== person && isLike(name, other.name))) ||
    receivers.some(({ institution }) => receivers.some((other) => looksLike(institution, other.institution)))
  );
}

export function isMisleading(statement: Statement, { people, receivers, policies }: KnownNames): boolean {
  switch (statement.kind) {
    case 'approver.add': {
      const { person, name, roles } = statement.content;
      const others = [...people].flatMap(([id, other]) => (id === person ? [] : other.name));
      const ruled = policies.flatMap(({ policy }) => [...policy.bands, ...policy.refundBands].flatMap(({ role }) => role ?? []));
      return (
        others.some((other) => other === name || looksLike(other, name)) ||
        roles.some((role) => ruled.some((other) => looksLike(other, role)))
      );
    }
    case 'approver.remove':
      return people.get(statement.content.person)?.name !== statement.content.name;
    case 'receiver.add':
      return receivers.some(({ institution }) => looksLike(institution, statement.content.institution));
    case 'custody.add':
      return receivers.some(
        ({ institution }) => institution === statement.content.note || looksLike(institution, statement.content.note),
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
