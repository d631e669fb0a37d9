import { asc, eq } from 'drizzle-orm';
import type { MintRuleFields, MintRuleRow } from '../../api/deposits/contract.ts';
import { policiesOf, usedOf, type MintPolicy } from './mint-policy.ts';
import type { RequestContext } from '../platform/core/context.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { badField, failure } from '../platform/core/errors.ts';
import { newId } from '../platform/core/ids.ts';
import { on } from '../platform/http/router.ts';
import { lockRow } from '../platform/records/versions.ts';
import { write } from '../platform/records/write.ts';
import { mintPolicies as table } from './tables.ts';
import { roles } from '../platform/auth/tables.ts';

// What confirming asks for. A confirmation locks all policies first (mint-policy.ts), so none changes under one. Routes,
// rights and the audit call a policy a rule.

export const mintPolicyRoutes = {
  ruleRoles: on.deposits.ruleRoles.handler(({ context }) =>
    context.db.select({ id: roles.id, name: roles.name }).from(roles).orderBy(asc(roles.name), asc(roles.id)),
  ),

  addRule: on.deposits.addRule.handler(({ input, context }) =>
    write(context, input, async (tx, note) => {
      await lockPolicies(tx);
      await checkPolicy(tx, input, null);
      const at = new Date(context.services.now());
      const id = newId();
      await tx.insert(table).values({ ...valuesOf(input), id, createdAt: at, updatedAt: at });
      const row = await onePolicy(context, tx, id);
      note({ entity: 'mintRule', id, after: forAudit(row) });
      return row;
    }),
  ),

  editRule: on.deposits.editRule.handler(({ input, context }) =>
    write(context, input, async (tx, note) => {
      const { id, version, ...fields } = input;
      await lockPolicies(tx);
      const before = await onePolicy(context, tx, id);
      await lockRow(tx, table, { id, version }, () => before);
      await checkPolicy(tx, fields, id);
      const updatedAt = new Date(context.services.now());
      await tx
        .update(table)
        .set({ ...valuesOf(fields), version: version + 1, updatedAt })
        .where(eq(table.id, id));
      const row = await onePolicy(context, tx, id);
      note({ entity: 'mintRule', id, before: forAudit(before), after: forAudit(row) });
      return row;
    }),
  ),

  deleteRule: on.deposits.deleteRule.handler(({ input, context }) =>
    write(context, input, async (tx, note) => {
      await lockPolicies(tx);
      const before = await onePolicy(context, tx, input.id);
      await lockRow(tx, table, input, () => before);
      await tx.delete(table).where(eq(table.id, input.id));
      note({ entity: 'mintRule', id: input.id, before: forAudit(before) });
      return { id: input.id };
    }),
  ),
};

/** As confirming does it: in the order of their ids. */
const lockPolicies = (tx: Tx) => tx.select({ id: table.id }).from(table).orderBy(asc(table.id)).for('update');

async function checkPolicy(tx: Tx, { from, below, role }: MintRuleFields, own: string | null): Promise<void> {
  if (below !== '' && BigInt(below) <= BigInt(from)) throw badField('below', 'range');
  const [same] = await tx
    .select({ id: table.id })
    .from(table)
    .where(eq(table.from, BigInt(from)));
  if (same && same.id !== own) throw badField('from', 'taken');
  if (role === '') return;
  const [found] = await tx.select({ id: roles.id }).from(roles).where(eq(roles.id, role));
  if (!found) throw badField('role');
}

const valuesOf = ({ from, below, approvals, role, perDay }: MintRuleFields) => ({
  from: BigInt(from),
  below: below === '' ? null : BigInt(below),
  approvals,
  roleId: role === '' ? null : role,
  perDay: perDay === '' ? null : BigInt(perDay),
});

async function onePolicy(context: RequestContext, tx: Tx, id: string): Promise<MintRuleRow> {
  const policy = (await policiesOf(tx)).find((each) => each.id === id);
  if (!policy) throw failure('NOT_FOUND');
  return presentPolicy(context, tx, policy);
}

/** A policy with what was confirmed under it in the last 24 hours. */
export async function presentPolicy(context: RequestContext, queries: Queries, policy: MintPolicy): Promise<MintRuleRow> {
  const { id, version, from, below, approvals, roleId, role, perDay } = policy;
  return {
    id,
    version,
    from: from.toString(),
    below: below?.toString() ?? null,
    approvals,
    role,
    roleId,
    perDay: perDay?.toString() ?? null,
    used: (await usedOf(queries, policy, context.services.now())).toString(),
  };
}

const forAudit = ({ id, version, from, below, approvals, role, perDay }: MintRuleRow) => ({
  id,
  version,
  from,
  below,
  approvals,
  role,
  perDay,
});
