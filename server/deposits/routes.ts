import { and, eq, inArray, ne } from 'drizzle-orm';
import type { DepositFields, DepositRow } from '../../api/deposits/contract.ts';
import { depositFilters } from '../../api/deposits/filters.ts';
import { weiOfSatoshi } from '../../api/money.ts';
import { satoshi } from '../../api/money-fields.ts';
import { depositHash } from '../../chain/deposit-hash.ts';
import { isNamed } from './shared/named.ts';
import { authorsOfOne } from './authors.ts';
import { gatherEvidence } from './evidence.ts';
import { contentHash, presentDeposits, recordOf, type Deposit } from './rows.ts';
import { policiesOf, refuse, requireAllowed, requireCounting, isNobodys } from './mint-policy.ts';
import { isFrozen } from '../custody/shared/freezes.ts';
import { mintPolicyRoutes, presentPolicy } from './mint-policy-routes.ts';
import { placeOf } from './mint-place.ts';
import { mintStops } from './mint-stops.ts';
import { mintEffect } from './mint-effect.ts';
import { proposeDeposit, signDeposit } from './mint-signature.ts';
import { requeueMint } from './mints.ts';
import { parseBitcoinAddress } from '../platform/bitcoin/address.ts';
import { actorOf, type RequestContext } from '../platform/core/context.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { badField, codeOf, failure } from '../platform/core/errors.ts';
import { filtering, searched } from '../platform/records/filter.ts';
import { historyOf, versionsOf } from '../platform/records/history.ts';
import { newId } from '../platform/core/ids.ts';
import { on } from '../platform/http/router.ts';
import { inAskedOrder, listRows } from '../platform/records/list.ts';
import { lockRow, lockRows, nextVersion } from '../platform/records/versions.ts';
import { unchanged, write } from '../platform/records/write.ts';
import { depositApprovals, deposits as table, mints } from './tables.ts';

export const deposits = {
  list: on.deposits.list.handler(async ({ input, context }) => {
    const sorts = { createdAt: table.createdAt, amount: table.amount };
    const page = await listRows(context, input, {
      table,
      id: table.id,
      sorts,
      where: await filter.where(context, input.filter),
      present: (row) => row,
    });
    return { ...page, rows: await presentDeposits(context, context.db, page.rows) };
  }),

  values: on.deposits.values.handler((call) => filter.values(call)),

  many: on.deposits.many.handler(async ({ input, context }) => {
    const rows = await presentDeposits(context, context.db, await readMany(context.db, input.ids));
    return inAskedOrder(input.ids, rows);
  }),

  history: on.deposits.history.handler(({ input, context }) => historyOf(context, 'deposit', input)),

  versions: on.deposits.versions.handler(({ input, context }) =>
    versionsOf(context, 'deposit', input.ids, async (ids) => (await readMany(context.db, ids)).map(recordOf)),
  ),

  evidence: on.deposits.evidence.handler(async ({ input, context }) => {
    const { config, now } = context.services;
    const asked = 'id' in input ? await claimOf(context, input.id) : { ...input, ...typedClaim(context, input) };
    const { txid, vout, coboAddress, amount, except } = asked;
    const [evidence, effect] = await Promise.all([
      gatherEvidence(config, { txid, vout, coboAddress: coboAddress ?? '', amount: amount ?? 0n }),
      'userAddress' in asked ? mintEffect(context, asked) : null,
    ]);
    return {
      ...evidence,
      effect,
      claim: { coboAddress, amount: amount?.toString() ?? null },
      known: await knownAs(context, context.db, { txid, vout }, except),
      at: new Date(now()).toISOString(),
    };
  }),

  policies: on.deposits.policies.handler(async ({ context }) => {
    const { config } = context.services;
    const policies = await policiesOf(context.db);
    return {
      rules: await Promise.all(policies.map((policy) => presentPolicy(context, context.db, policy))),
      fourEyesFrom: config.fourEyesFrom.toString(),
      confirmations: config.bitcoinConfirmations,
      network: config.bitcoinNetwork,
      frozen: await isFrozen(context.db),
    };
  }),

  ...mintPolicyRoutes,
  ...mintStops,

  add: on.deposits.add.handler(({ input, context }) =>
    write(context, input, async (tx, note) => {
      const values = valuesOf(context, input);
      const now = new Date(context.services.now());
      const by = { createdBy: actorOf(context).id, ...modifiedBy(context) };
      const [row] = await tx
        .insert(table)
        .values({ ...values, ...by, id: newId(), createdAt: now, updatedAt: now })
        .onConflictDoNothing()
        .returning();
      if (!row) throw await knownFailure(context, tx, values);
      note({ entity: 'deposit', id: row.id, after: recordOf(row) });
      return presentOne(context, tx, row);
    }),
  ),

  edit: on.deposits.edit.handler(({ input, context }) =>
    write(context, input, async (tx, note) => {
      const { id, version, ...fields } = input;
      const before = await lockRow(tx, table, { id, version }, recordOf);
      if (before.status !== 'created') throw refuse('CONFIRMED', { id });
      const values = valuesOf(context, fields);
      if (contentHash({ ...before, ...values }) === contentHash(before)) return unchanged(await presentOne(context, tx, before));
      // In the transaction, so that a colleague's output is named and not guessed from a broken transaction.
      if (await knownAs(context, tx, values, id)) throw await knownFailure(context, tx, values, id);
      const [after] = await tx
        .update(table)
        .set({ ...values, ...modifiedBy(context), ...nextVersion(context, table) })
        .where(eq(table.id, id))
        .returning()
        .catch((error: unknown) => {
          throw codeOf(error) === '23505' ? failure('DEPOSIT_KNOWN', { ids: [] }) : error;
        });
      if (!after) throw failure('NOT_FOUND');
      // Also those of the same fields before the fields between: whoever said yes says so again.
      await tx.delete(depositApprovals).where(eq(depositApprovals.depositId, id));
      note({ entity: 'deposit', id, before: recordOf(before), after: recordOf(after) });
      return presentOne(context, tx, after);
    }),
  ),

  remove: on.deposits.remove.handler(({ input, context }) =>
    write(context, input, async (tx, note) => {
      const { rows, failed } = await lockRows(tx, table, input.items, recordOf);
      const open = rows.filter(({ status }) => status === 'created');
      const [first] = rows;
      if (open.length === 0) throw refuse('CONFIRMED', { id: first?.id });
      await tx.delete(table).where(
        inArray(
          table.id,
          open.map(({ id }) => id),
        ),
      );
      for (const row of open) note({ entity: 'deposit', id: row.id, before: recordOf(row) });
      const confirmed = rows.filter((row) => !open.includes(row)).map(({ id }) => ({ id, code: 'INCOMPLETE' as const }));
      return { done: open.map(({ id }) => ({ id })), failed: [...failed, ...confirmed] };
    }),
  ),

  propose: on.deposits.propose.handler(({ input, context }) =>
    write(context, input, async (tx, note) => {
      const row = await lockOpen(tx, input);
      const authors = await authorsOfOne(tx, row);
      if (authors.has(actorOf(context).id)) throw refuse('FOUR_EYES', { id: row.id });
      const { statement, hash, keys } = await proposeDeposit(context, tx, row, authors);
      note({ entity: 'deposit', id: row.id, after: { statement: hash, number: statement.number } });
      return { statement, hash, keys: [...keys] };
    }),
  ),

  approve: on.deposits.approve.handler(({ input, context }) =>
    write(context, { ...input, signed: null }, async (tx, note) => {
      const { id: administratorId } = actorOf(context);
      const row = await lockOpen(tx, input);
      const authors = await authorsOfOne(tx, row);
      if (authors.has(administratorId)) throw refuse('FOUR_EYES', { id: row.id });
      await requireCounting(context, tx, row);
      const added = await noteApproval(context, tx, input);
      // Under other rules it is another statement: who said yes before says it again.
      const { isNew } = await signDeposit(context, tx, row, authors, input.signed ?? null);
      const result = await presentOne(context, tx, row);
      if (!added && !isNew) return unchanged(result);
      note({ entity: 'deposit', id: row.id, after: { ...recordOf(row), approvedHash: input.hash } });
      return result;
    }),
  ),

  confirm: on.deposits.confirm.handler(async ({ input, context }) => {
    const { config, now } = context.services;
    // Bitcoin is asked before anything is locked, and its answer used only for the row that still is as it was then.
    const [claimed] = await readMany(context.db, [input.id]);
    const evidence = claimed ? await gatherEvidence(config, claimed) : null;
    return write(context, { ...input, signed: null }, async (tx, note) => {
      const before = await lockOpen(tx, input);
      const { evm } = config;
      if (!evm) throw refuse('NO_CHAIN', { id: before.id });
      await requireAllowed(context, tx, before, input.hash);
      const isOfThis = claimed !== undefined && contentHash(claimed) === input.hash;
      if (!evidence || !isOfThis || evidence.verdict !== 'holds')
        throw refuse('EVIDENCE', { id: before.id, verdict: [evidence?.verdict ?? 'unverified'] });

      const authors = await authorsOfOne(tx, before);
      const { enough, statement } = await signDeposit(context, tx, before, authors, input.signed ?? null);
      if (!enough) {
        const added = await noteApproval(context, tx, input);
        const result = await presentOne(context, tx, before);
        if (!added) throw refuse('SIGNATURES', { id: before.id });
        note({
          entity: 'deposit',
          id: before.id,
          action: 'approve',
          after: { ...recordOf(before), approvedHash: input.hash, statement },
        });
        return result;
      }

      const at = new Date(now());
      const [after] = await tx
        .update(table)
        .set({
          status: 'confirmed',
          mintStatus: 'queued',
          confirmedBy: actorOf(context).id,
          confirmedAt: at,
          ...nextVersion(context, table),
        })
        .where(and(eq(table.id, before.id), eq(table.status, 'created')))
        .returning();
      if (!after) throw refuse('CONFIRMED', { id: before.id });
      await tx.insert(mints).values({
        id: newId(),
        depositId: after.id,
        depositHash: depositHash(after.network, after.txid, after.vout),
        ...placeOf(evm),
        signFrom: signFrom(context, after.amount),
        recipient: after.userAddress,
        amount: weiOfSatoshi(after.amount),
        state: 'queued',
        nextAt: at,
        createdAt: at,
        updatedAt: at,
      });
      note({
        entity: 'deposit',
        id: after.id,
        before: recordOf(before),
        after: { ...recordOf(after), confirmedHash: input.hash, statement, evidence },
      });
      return presentOne(context, tx, after);
    });
  }),

  retryMint: on.deposits.retryMint.handler(({ input, context }) =>
    write(context, input, async (tx, note) => {
      const before = await lockRow(tx, table, input, recordOf);
      if (await isFrozen(tx)) throw refuse('FROZEN');
      const mint = await requeueMint(tx, before.id, new Date(context.services.now()), signFrom(context, before.amount));
      if (!mint) throw refuse('NOT_FAILED', { id: before.id });
      const [after] = await tx
        .update(table)
        .set({ mintStatus: 'queued', ...nextVersion(context, table) })
        .where(eq(table.id, before.id))
        .returning();
      if (!after) throw failure('NOT_FOUND');
      note({ entity: 'deposit', id: after.id, before: recordOf(before), after: recordOf(after) });
      return presentOne(context, tx, after);
    }),
  ),
};

/** Remembers that who acts said yes to just these fields. Answers whether they had not yet. */
async function noteApproval(context: RequestContext, tx: Tx, seen: { id: string; hash: string }): Promise<boolean> {
  const { id: administratorId, email: administratorEmail } = actorOf(context);
  const approval = { depositId: seen.id, contentHash: seen.hash, administratorId, administratorEmail };
  const [added] = await tx
    .insert(depositApprovals)
    .values({ ...approval, id: newId(), createdAt: new Date(context.services.now()) })
    .onConflictDoNothing()
    .returning();
  return added !== undefined;
}

/** When a mint of this many satoshi is signed at the earliest; null: at once. */
function signFrom({ services }: RequestContext, amount: bigint): Date | null {
  const { mintDelayMs, mintDelayFrom } = services.config;
  return mintDelayMs > 0 && amount >= mintDelayFrom ? new Date(services.now() + mintDelayMs) : null;
}

const readMany = (queries: Queries, ids: readonly string[]): Promise<Deposit[]> =>
  queries
    .select()
    .from(table)
    .where(inArray(table.id, [...ids]));

async function presentOne(context: RequestContext, tx: Tx, row: Deposit): Promise<DepositRow> {
  const [shown] = await presentDeposits(context, tx, [row]);
  if (!shown) throw new Error('a row came back as nothing');
  return shown;
}

/** The row for this transaction alone, still created, with the very fields that were seen. */
async function lockOpen(tx: Tx, { hash, ...item }: { id: string; version: number; hash: string }): Promise<Deposit> {
  const row = await lockRow(tx, table, item, recordOf);
  if (row.status !== 'created') throw refuse('CONFIRMED', { id: row.id });
  if (contentHash(row) !== hash) throw refuse('CHANGED', { id: row.id });
  return row;
}

/** The fields as they are stored. Throws BAD_REQUEST for an address of another network, or that nobody holds the key of. */
function valuesOf({ services }: RequestContext, fields: DepositFields) {
  const { bitcoinNetwork: network } = services.config;
  const coboAddress = parseBitcoinAddress(fields.coboAddress, network);
  if (coboAddress === null) throw badField('coboAddress', 'bitcoin');
  const { userAddress, txid, vout, type, remarks } = fields;
  if (isNobodys(userAddress, services.config)) throw badField('userAddress', 'receiver');
  const lockTime = fields.lockTime === null ? null : new Date(fields.lockTime);
  return { userAddress, amount: BigInt(fields.amount), coboAddress, network, txid, vout, type, remarks, lockTime };
}

const modifiedBy = (context: RequestContext) => {
  const { id, email } = actorOf(context);
  return { modifiedBy: id, modifiedEmail: email };
};

// ── Evidence ───────────────────────────────────────────────────────────────

/** What is being typed, as far as it is anything yet. */
const typedClaim = ({ services }: RequestContext, { coboAddress, amount }: { coboAddress: string; amount: string }) => ({
  coboAddress: parseBitcoinAddress(coboAddress.trim(), services.config.bitcoinNetwork),
  amount: satoshi().safeParse(amount).success ? BigInt(amount) : null,
});

async function claimOf(context: RequestContext, id: string) {
  const [row] = await readMany(context.db, [id]);
  if (!row) throw failure('NOT_FOUND');
  return { ...row, except: row.id };
}

/** The deposit that names an output already, besides `except` and those that were closed unminted. */
async function knownAs(
  { services }: RequestContext,
  queries: Queries,
  { txid, vout }: { txid: string; vout: number },
  except: string | null = null,
): Promise<string | null> {
  const ofOutput = and(eq(table.network, services.config.bitcoinNetwork), eq(table.txid, txid), eq(table.vout, vout));
  const same = and(ofOutput, ne(table.mintStatus, 'closed'));
  const [row] = await queries
    .select({ id: table.id })
    .from(table)
    .where(except === null ? same : and(same, ne(table.id, except)));
  return row?.id ?? null;
}

async function knownFailure(context: RequestContext, tx: Tx, output: { txid: string; vout: number }, except?: string) {
  const known = await knownAs(context, tx, output, except);
  return failure('DEPOSIT_KNOWN', { ids: known === null ? [] : [known] });
}

// ── Filter ─────────────────────────────────────────────────────────────────

const filter = filtering({
  table,
  fields: depositFilters,
  meanings: {
    q: searched(isNamed),
    status: table.status,
    mintStatus: table.mintStatus,
    amount: table.amount,
    createdAt: table.createdAt,
  },
});
