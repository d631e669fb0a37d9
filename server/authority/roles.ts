import { asc, eq } from 'drizzle-orm';
import { administratorRoles, roles } from '../platform/auth/tables.ts';
import type { Queries } from '../platform/db/db.ts';

export async function roleNamesOf(queries: Queries, person: string): Promise<string[]> {
  const found = await queries
    .select({ name: roles.name })
    .from(administratorRoles)
    .innerJoin(roles, eq(roles.id, administratorRoles.roleId))
    .where(eq(administratorRoles.administratorId, person))
    .orderBy(asc(roles.name));
  return found.map(({ name }) => name);
}
