import { sql } from 'drizzle-orm';
import type { MenuPath } from '../../../../api/menu.ts';
import type { Permission } from '../../../../api/names.ts';
import type { RequestContext } from '../../services/context.ts';
import type { Queries, Tx } from '../../db/db.ts';
import { factorGapColumn } from '../sign-in/vouching.ts';
import { lockAccessShared } from './escalation.ts';

type HoldersContext = Pick<RequestContext, 'services'>;

/** Locked until the transaction ends. */
export async function lockCurrentHolders(
  tx: Tx,
  context: HoldersContext,
  ids: readonly string[],
  permission: Permission | MenuPath,
): Promise<ReadonlySet<string>> {
  if (ids.length > 0) await lockAccessShared(tx);
  return holdersOf(tx, context, ids, permission);
}

/** Enabled, with their own password, any required factor, no factor without a voucher, and the permission. */
export async function holdersOf(
  queries: Queries,
  { services: { config } }: HoldersContext,
  ids: readonly string[],
  permission: Permission | MenuPath,
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await queries.execute<{ id: string }>(sql`
    select a.id from administrators a
    where a.id in ${[...ids]} and a.enabled and a.deleted_at is null and a.password_expires_at is null
      and (not a.demo or ${config.demo})
      and exists (
        select from administrator_roles ar join role_nodes rn on rn.role_id = ar.role_id
          join permission_nodes n on n.id = rn.node_id
        where ar.administrator_id = a.id and n.identifier = ${permission})
      and ${factorGapColumn} is null
      and (a.totp_secret is not null
        or exists (select from passkeys p where p.administrator_id = a.id)
        or not exists (
          select from administrator_roles ar join roles r on r.id = ar.role_id
          where ar.administrator_id = a.id and r.needs_factor))`);
  return new Set(rows.map(({ id }) => id));
}
