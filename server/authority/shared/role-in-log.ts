import type { Services } from '../../platform/services/context.ts';
import type { Queries } from '../../platform/db/db.ts';
import { readRoleNames } from '../roles.ts';
import { readAuthority } from '../store.ts';

/** Requires an active key. Role null: any. */
export async function readRoleStatus(
  services: Services,
  queries: Queries,
  person: string,
  role: string | null,
): Promise<'fit' | 'noKey' | 'otherRole'> {
  const authority = await readAuthority(services, queries);
  if (!authority) return 'noKey';
  const enrolledPerson = authority.people.get(person);
  // A demo enrolls signers by the roles of their account.
  const isAdmittedInDevelopment = enrolledPerson === undefined && authority.genesis.development;
  const keys = (enrolledPerson?.keys ?? []).filter(({ from }) => from <= services.now());
  if (!isAdmittedInDevelopment && keys.length === 0) return 'noKey';
  const roles = isAdmittedInDevelopment ? await readRoleNames(queries, person) : keys.flatMap((key) => key.roles);
  return role === null || roles.includes(role) ? 'fit' : 'otherRole';
}
