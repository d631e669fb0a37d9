import { isIP } from 'node:net';
import { and, asc, eq, not, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { administratorRoles, roles } from '../tables.ts';
import type { Queries } from '../../db/db.ts';
import type { CallerAddress, Person, RequestContext } from '../../services/context.ts';
import { createAppError, type AppError } from '../../core/errors.ts';

/** Grants what the roles grant in their networks, for a call from no particular address. */
export const anyAddress: CallerAddress = { ip: null, ignoresNetworks: true };

/** Roles with networks grant nothing. */
export const unknownAddress: CallerAddress = { ip: null, ignoresNetworks: false };

export const readCallerAddress = ({ ip, services: { config } }: Pick<RequestContext, 'ip' | 'services'>): CallerAddress => ({
  ip: toInet(ip),
  ignoresNetworks: !config.roleNetworks,
});

/** An address for PostgreSQL, which refuses an IPv6 zone. Null if unknown. */
export const toInet = (ip: string): string | null => (isIP(ip) === 0 ? null : (ip.split('%', 1)[0] ?? null));

/** WHERE clause: a role with these networks grants something to the caller (server/sql/access.sql). */
export const roleCounts = (networks: SQLWrapper, { ip, ignoresNetworks }: CallerAddress): SQL =>
  sql`role_counts(${networks}, ${ip}::inet, ${ignoresNetworks})`;

/** Names of the person's roles that grant nothing to a call from this address. */
export async function readInactiveRoles(queries: Queries, administratorId: string, calledFrom: CallerAddress): Promise<string[]> {
  const rows = await queries
    .select({ name: roles.name })
    .from(administratorRoles)
    .innerJoin(roles, eq(roles.id, administratorRoles.roleId))
    .where(and(eq(administratorRoles.administratorId, administratorId), not(roleCounts(roles.networks, calledFrom))))
    .orderBy(asc(roles.name));
  return rows.map(({ name }) => name);
}

/** NETWORK if a role of the person would grant the permission from one of its networks, else FORBIDDEN. */
export async function createPermissionRefusal(
  queries: Queries,
  { id, calledFrom = unknownAddress }: Pick<Person, 'id' | 'calledFrom'>,
  permission: string | undefined,
): Promise<AppError> {
  if (permission === undefined || calledFrom.ignoresNetworks) return createAppError('FORBIDDEN');
  const { rows } = await queries.execute<{ names: string | null }>(
    sql`select roles_elsewhere(${id}, ${permission}, ${calledFrom.ip}::inet) as names`,
  );
  return createNetworkRefusal(rows[0]?.names ?? '');
}

/** `names`: a line each. */
export function createNetworkRefusal(names: string): AppError {
  return names === '' ? createAppError('FORBIDDEN') : createAppError('NETWORK', { inactiveRoles: names.split('\n') });
}
