import { and, eq, inArray, isNull } from 'drizzle-orm';
import { functions } from '../../../../api/all-names.ts';
import { administratorRoles, administrators, permissionNodes, roleNodes } from '../tables.ts';
import type { Queries } from '../../db/db.ts';

const moneyScreenPattern = /^\/(selfCustody|CRSMTrove)\//;

/** Everything below custody and CRSM, including later additions. */
const moneyRights: ReadonlySet<string> = new Set(
  Object.entries(functions).flatMap(([screen, rights]) => (moneyScreenPattern.test(screen) ? rights : [])),
);

export const canMoveMoney = (right: string): boolean => moneyRights.has(right);

export interface MoneyHolder {
  email: string;
  rights: ReadonlySet<string>;
}

export async function readMoneyHolders(queries: Queries): Promise<ReadonlyMap<string, MoneyHolder>> {
  const rows = await queries
    .selectDistinct({ id: administrators.id, email: administrators.email, right: permissionNodes.identifier })
    .from(administrators)
    .innerJoin(administratorRoles, eq(administratorRoles.administratorId, administrators.id))
    .innerJoin(roleNodes, eq(roleNodes.roleId, administratorRoles.roleId))
    .innerJoin(permissionNodes, eq(permissionNodes.id, roleNodes.nodeId))
    .where(and(administrators.enabled, isNull(administrators.deletedAt), inArray(permissionNodes.identifier, [...moneyRights])));
  const holders = new Map<string, { email: string; rights: Set<string> }>();
  for (const { id, email, right } of rows) {
    const holder = holders.get(id) ?? { email, rights: new Set<string>() };
    holders.set(id, holder);
    holder.rights.add(right);
  }
  return holders;
}
