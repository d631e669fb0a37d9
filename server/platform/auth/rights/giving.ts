import { eq, inArray, notInArray } from 'drizzle-orm';
import { administratorRoles, grantableRoles, permissionNodes, roleNodes } from '../tables.ts';
import type { Person } from '../../services/context.ts';
import type { Queries, Tx } from '../../db/db.ts';
import { appError } from '../../core/errors.ts';
import { isGuarded } from './guarded-rights.ts';
import { grantedTo } from './permissions.ts';

/** Identifiers that stop the actor from giving the role. Empty if the actor may give it. */
export type BeyondOf = (roleId: string) => readonly string[];

/**
 * A role may be given by people who hold all its permissions, and by holders of a role that lists it as grantable. The list never
 * covers guarded permissions. A role counts with all roles that its holders could give in turn.
 */
export async function readGiving(queries: Queries, { id, granted }: Pick<Person, 'id' | 'granted'>): Promise<BeyondOf> {
  const own = await queries
    .select({ roleId: administratorRoles.roleId })
    .from(administratorRoles)
    .where(eq(administratorRoles.administratorId, id));
  const edges = new Map<string, string[]>();
  for (const { roleId, grantableId } of await queries.select().from(grantableRoles))
    edges.set(roleId, [...(edges.get(roleId) ?? []), grantableId]);
  const lacked = new Map<string, string[]>();
  const rows = await queries
    .select({ roleId: roleNodes.roleId, identifier: permissionNodes.identifier })
    .from(roleNodes)
    .innerJoin(permissionNodes, eq(permissionNodes.id, roleNodes.nodeId))
    .where(granted.size === 0 ? undefined : notInArray(permissionNodes.identifier, [...granted]));
  for (const { roleId, identifier } of rows) lacked.set(roleId, [...(lacked.get(roleId) ?? []), identifier]);

  const direct = new Set(own.flatMap(({ roleId }) => edges.get(roleId) ?? []));
  const reached = reachable(edges, direct);
  const stopping = (roleId: string, grantable: ReadonlySet<string>) => {
    const missing = lacked.get(roleId) ?? [];
    return grantable.has(roleId) ? missing.filter(isGuarded) : missing;
  };
  return (roleId) => {
    const later = [...reachable(edges, edges.get(roleId) ?? [])];
    const missing = [...stopping(roleId, direct), ...later.flatMap((other) => stopping(other, reached))];
    return [...new Set(missing)].toSorted();
  };
}

/** `from` and everything that follows it. */
function reachable(edges: ReadonlyMap<string, readonly string[]>, from: Iterable<string>): Set<string> {
  const seen = new Set(from);
  for (const roleId of seen) for (const next of edges.get(roleId) ?? []) seen.add(next);
  return seen;
}

const readFresh = async (tx: Tx, actor: Person) => readGiving(tx, { id: actor.id, granted: await grantedTo(tx, actor.id) });

/** Throws GRANT_BEYOND_OWN unless the actor may give every role. */
export async function assertMayGive(tx: Tx, actor: Person, roleIds: readonly string[]): Promise<void> {
  const beyondOf = await readFresh(tx, actor);
  const identifiers = [...new Set(roleIds.flatMap(beyondOf))].toSorted();
  if (identifiers.length > 0) throw appError('GRANT_BEYOND_OWN', { identifiers });
}

/** Throws HOLDS_MORE if the person has a role that the actor may not give. */
export async function assertMayManage(tx: Tx, actor: Person, administratorId: string): Promise<void> {
  const beyondOf = await readFresh(tx, actor);
  const roles = (await rolesOf(tx, [administratorId])).get(administratorId) ?? [];
  const identifiers = [...new Set(roles.flatMap(beyondOf))].toSorted();
  if (identifiers.length > 0) throw appError('HOLDS_MORE', { id: administratorId, identifiers });
}

export async function rolesOf(queries: Queries, ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await queries
    .select()
    .from(administratorRoles)
    .where(inArray(administratorRoles.administratorId, [...ids]));
  const roles = new Map<string, string[]>();
  for (const { administratorId, roleId } of rows) roles.set(administratorId, [...(roles.get(administratorId) ?? []), roleId]);
  return roles;
}
