import { asc, eq } from 'drizzle-orm';
import { administratorRoles, roles } from '../platform/auth/tables.ts';
import type { Queries } from '../platform/db/db.ts';

export async function readRoleNames(queries: Queries, person: string): Promise<string[]> {
  const roleRows = await queries
    .selectDistinct({ name: roles.name })
    .from(administratorRoles)
    .innerJoin(roles, eq(roles.id, administratorRoles.roleId))
    .where(eq(administratorRoles.administratorId, person))
    .orderBy(asc(roles.name));
  return roleRows.map(({ name }) => name);
}
