import { and, asc, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { serviceFilters } from '../../api/access/filters.ts';
import type { ScopeNode, ServiceRow, TokenRow } from '../../api/access/services.ts';
import { readTree } from '../platform/auth/rights/permission-tree.ts';
import { isServiceMoneyRight, isServiceScope } from '../platform/auth/service-accounts/service-rights.ts';
import {
  administrators,
  serviceAccountOwners,
  serviceAccounts as table,
  serviceTokenNodes,
  serviceTokens,
} from '../platform/auth/tables.ts';
import type { Queries } from '../platform/db/db.ts';
import { createFilter, createSearchCondition } from '../platform/records/filter.ts';
import { sortByRequestedIds } from '../platform/records/list.ts';
import type { Services } from '../platform/services/context.ts';
import { isWorking, presentToken } from './tokens.ts';

export type ServiceAccount = typeof table.$inferSelect;

/** Excludes deleted accounts. */
export const serviceConditions = createFilter({
  table,
  fields: serviceFilters,
  filterConditions: {
    q: createSearchCondition(
      (text) =>
        sql`(strpos(folded(${table.name}), folded(${text}::text)) > 0 or strpos(folded(${table.description}), folded(${text}::text)) > 0)`,
    ),
    enabled: table.enabled,
    createdAt: table.createdAt,
  },
  only: isNull(table.deletedAt),
});

/** Keeps the order of `rows`. */
export async function presentServices(
  queries: Queries,
  services: Pick<Services, 'now'>,
  rows: readonly ServiceAccount[],
): Promise<ServiceRow[]> {
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  const owners = await queries
    .select({
      accountId: serviceAccountOwners.serviceAccountId,
      id: administrators.id,
      email: administrators.email,
      enabled: sql<boolean>`${administrators.enabled} and ${administrators.deletedAt} is null`,
    })
    .from(serviceAccountOwners)
    .innerJoin(administrators, eq(administrators.id, serviceAccountOwners.administratorId))
    .where(inArray(serviceAccountOwners.serviceAccountId, ids))
    .orderBy(asc(administrators.email));
  const tokens = await queries.select().from(serviceTokens).where(inArray(serviceTokens.serviceAccountId, ids));
  return rows.map(({ id, version, name, description, enabled, createdAt }) => {
    const own = tokens.filter(({ serviceAccountId }) => serviceAccountId === id);
    const working = own.filter((token) => isWorking(services, token));
    return {
      id,
      version,
      name,
      description,
      enabled,
      owners: owners
        .filter(({ accountId }) => accountId === id)
        .map((owner) => ({ id: owner.id, email: owner.email, enabled: owner.enabled })),
      tokens: working.length,
      expiresAt: timeText(earliest(working.map((token) => token.expiresAt))),
      lastUsedAt: timeText(latest(own.flatMap(({ lastUsedAt }) => lastUsedAt ?? []))),
      createdAt: createdAt.toISOString(),
    };
  });
}

export async function readServices(
  queries: Queries,
  services: Pick<Services, 'now'>,
  ids: readonly string[],
): Promise<ServiceRow[]> {
  const rows = await queries
    .select()
    .from(table)
    .where(and(inArray(table.id, [...ids]), isNull(table.deletedAt)));
  return sortByRequestedIds(ids, await presentServices(queries, services, rows));
}

/** Newest first. */
export async function tokensOf(queries: Queries, services: Pick<Services, 'now'>, accountId: string): Promise<TokenRow[]> {
  const tokens = await queries
    .select()
    .from(serviceTokens)
    .where(eq(serviceTokens.serviceAccountId, accountId))
    .orderBy(desc(serviceTokens.createdAt), desc(serviceTokens.id));
  const nodes = await queries
    .select()
    .from(serviceTokenNodes)
    .where(
      inArray(
        serviceTokenNodes.tokenId,
        tokens.map(({ id }) => id),
      ),
    );
  return tokens.map((token) => ({
    ...presentToken(services, token),
    scopes: nodes.filter(({ tokenId }) => tokenId === token.id).map(({ nodeId }) => nodeId),
  }));
}

/** Nodes that a person with these permissions may give to a token. */
export async function scopeNodes(queries: Queries, granted: ReadonlySet<string>): Promise<ScopeNode[]> {
  return (await readTree(queries)).map(({ id, parentId, kind, identifier, nameZh, nameEn }) => ({
    id,
    parentId,
    kind,
    identifier,
    zh: nameZh,
    en: nameEn,
    blocked: isServiceMoneyRight(identifier)
      ? 'money'
      : !isServiceScope(identifier)
        ? 'guarded'
        : granted.has(identifier)
          ? null
          : 'notHeld',
  }));
}

const timeText = (at: Date | null): string | null => at?.toISOString() ?? null;
const earliest = (times: readonly Date[]): Date | null => times.toSorted((a, b) => Number(a) - Number(b))[0] ?? null;
const latest = (times: readonly Date[]): Date | null => times.toSorted((a, b) => Number(b) - Number(a))[0] ?? null;
