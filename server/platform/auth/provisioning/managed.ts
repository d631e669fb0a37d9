import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import type { Config } from '../../core/config.ts';
import { createAppError } from '../../core/errors.ts';
import type { Queries } from '../../db/db.ts';
import { isGuarded } from '../rights/guarded-rights.ts';
import { administrators, groupRoles, provisioned } from '../tables.ts';

/** The provider's name in messages. */
export const providerNameOf = ({ sso }: Pick<Config, 'sso'>): string => sso?.name ?? 'SCIM';

/** Throws GUARDED_ROLE. */
export function assertUnguarded(config: Pick<Config, 'sso'>, identifiers: readonly string[]): void {
  const guardedIdentifiers = identifiers.filter(isGuarded).toSorted();
  if (guardedIdentifiers.length > 0)
    throw createAppError('GUARDED_ROLE', { identifiers: guardedIdentifiers, name: providerNameOf(config) });
}

/** A mapped role must not become guarded. Throws GUARDED_ROLE. */
export async function assertMayStayMapped(
  queries: Queries,
  config: Pick<Config, 'sso'>,
  roleId: string,
  identifiers: readonly string[],
): Promise<void> {
  if ((await queries.$count(groupRoles, eq(groupRoles.roleId, roleId))) > 0) assertUnguarded(config, identifiers);
}

export const createManagedError = (config: Pick<Config, 'sso'>) =>
  createAppError('IDP_MANAGED', { name: providerNameOf(config) });

/** Those of the accounts that the provider disabled or deleted. */
export async function readProviderDisabled(queries: Queries, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await queries
    .select({ id: provisioned.administratorId })
    .from(provisioned)
    .innerJoin(administrators, eq(administrators.id, provisioned.administratorId))
    .where(
      and(
        inArray(provisioned.administratorId, [...ids]),
        or(eq(administrators.disabledBy, 'idp'), eq(provisioned.active, false)),
        isNull(administrators.deletedAt),
      ),
    );
  return new Set(rows.map(({ id }) => id));
}
