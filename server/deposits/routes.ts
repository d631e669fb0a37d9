import { and, eq, inArray, ne, not } from 'drizzle-orm';
import type { AuthorityBand } from '../../api/authority/statements.ts';
import type { DepositFields } from '../../api/deposits/contract.ts';
import { depositFilters } from '../../api/deposits/filters.ts';
import { weiOfSatoshi } from '../../api/money.ts';
import { satoshiSchema } from '../../api/money-fields.ts';
import { depositHash } from '../../chain/deposit-hash.ts';
import { matchesHashOrAddress } from './shared/hash-or-address.ts';
import { isUnownedAddress } from './shared/unowned-address.ts';
import { readApprovalStatus } from '../authority/shared/approval-status.ts';
import { isBlockedRow, openBlock } from './shared/blocks.ts';
import { gatherEvidence } from '../mints/evidence.ts';
import { contentHash, presentDeposit, presentDeposits, depositState, type Deposit } from './rows.ts';
import {
  moneyRefusal,
  blockedError,
  ineligibleErrorFor,
  requireAllowed,
  requireRoomToday,
  missingSignatures,
} from './mint-policy.ts';
import { isFrozen } from '../custody/shared/freezes.ts';
import { deploymentOf } from '../mints/deployment.ts';
import { mintStops } from './mint-stops.ts';
import { mintEffect } from './mint-effect.ts';
import { proposeDeposit, signDeposit } from './mint-signature.ts';
import { readDepositTransaction } from './transaction.ts';
import { signingRefusal } from './signing-refusal.ts';
import { requeueMint } from '../mints/mints.ts';
import { unblock } from './unblock.ts';
import { parseBitcoinAddress } from '../../chain/bitcoin-address.ts';
import { requirePerson, type RequestContext } from '../platform/services/context.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { codeOf } from '../platform/core/error-code.ts';
import { badField, appError } from '../platform/core/errors.ts';
import { chosenValues, createFilter, searchCondition } from '../platform/records/filter.ts';
import { historyOf, versionsOf } from '../platform/records/history.ts';
import { newId } from '../platform/core/ids.ts';
import { guardedApi } from '../platform/http/router.ts';
import { listHandlers } from '../platform/records/list-handlers.ts';
import { lockRow, lockRows, nextVersion } from '../platform/records/versions.ts';
import { unmodified, writeOnce } from '../platform/records/write.ts';
import { deposits as table } from './tables.ts';
import { mints } from '../mints/tables.ts';

const reads = listHandlers({
  table,
  sorts: { createdAt: table.createdAt, amount: table.amount },
  filter: () => filter,
  present: (context, rows) => presentDeposits(context, context.db, rows),
});

export const deposits = {
  list: guardedApi.deposits.list.handler(reads.list),

  values: guardedApi.deposits.values.handler(reads.values),

  many: guardedApi.deposits.many.handler(reads.many),

  history: guardedApi.deposits.history.handler(({ input, context }) => historyOf(context, 'deposit', input)),

  versions: guardedApi.deposits.versions.handler(({ input, context }) =>
    versionsOf(context, 'deposit', input.ids, async (ids) => (await readMany(context.db, ids)).map(depositState)),
  ),

  evidence: guardedApi.deposits.evidence.handler(async ({ input, context }) => {
    const { config, now } = context.services;
    const claim = 'id' in input ? await claimOf(context, input.id) : { ...input, ...claimFromInput(context, input) };
    const { txid, vout, coboAddress, amount, except } = claim;
    const [evidence, effect, refusal] = await Promise.all([
      gatherEvidence(config, { txid, vout, coboAddress: coboAddress ?? '', amount: amount ?? 0n }),
      'userAddress' in claim ? mintEffect(context, claim) : null,
      'userAddress' in claim ? signingRefusal(context, claim) : null,
    ]);
    return {
      ...evidence,
      effect,
      refusal,
      claim: { coboAddress, amount: amount?.toString() ?? null },
      known: await knownAs(context, context.db, { txid, vout }, except),
      at: new Date(now()).toISOString(),
    };
  }),

  transaction: guardedApi.deposits.transaction.handler(({ input, context }) => readDepositTransaction(context, input.txid)),

  ...mintStops,
  unblock,

  add: guardedApi.deposits.add.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      const values = valuesOf(context, input);
      const now = new Date(context.services.now());
      const by = { createdBy: requirePerson(context).id, ...modifiedBy(context) };
      const [row] = await tx
        .insert(table)
        .values({ ...values, ...by, id: newId(), createdAt: now, updatedAt: now })
        .onConflictDoNothing()
        .returning();
      if (!row) throw await knownFailure(context, tx, values);
      note({ entity: 'deposit', id: row.id, after: depositState(row) });
      return presentDeposit(context, tx, row);
    }),
  ),

  edit: guardedApi.deposits.edit.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      const { id, version, ...fields } = input;
      const before = await lockRow(tx, table, { id, version }, depositState);
      if (before.status !== 'created') throw moneyRefusal('CONFIRMED', { id });
      const values = valuesOf(context, fields);
      if (contentHash({ ...before, ...values }) === contentHash(before))
        return unmodified(await presentDeposit(context, tx, before));
      // Checked before the insert, so that the error can name the other deposit.
      if (await knownAs(context, tx, values, id)) throw await knownFailure(context, tx, values, id);
      const [after] = await tx
        .update(table)
        // Even if the fields return to an earlier content, people sign again.
        .set({ ...values, statement: null, ...modifiedBy(context), ...nextVersion(context, table) })
        .where(eq(table.id, id))
        .returning()
        .catch((error: unknown) => {
          throw codeOf(error) === '23505' ? appError('DEPOSIT_KNOWN', { ids: [] }) : error;
        });
      if (!after) throw appError('NOT_FOUND');
      note({ entity: 'deposit', id, before: depositState(before), after: depositState(after) });
      return presentDeposit(context, tx, after);
    }),
  ),

  remove: guardedApi.deposits.remove.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      const { rows, failed } = await lockRows(tx, table, input.items, depositState);
      const open = rows.filter(({ status }) => status === 'created');
      const [first] = rows;
      if (open.length === 0) throw moneyRefusal('CONFIRMED', { id: first?.id });
      await tx.delete(table).where(
        inArray(
          table.id,
          open.map(({ id }) => id),
        ),
      );
      for (const row of open) note({ entity: 'deposit', id: row.id, before: depositState(row) });
      const confirmed = rows.filter((row) => !open.includes(row)).map(({ id }) => ({ id, code: 'INCOMPLETE' as const }));
      return { done: open.map(({ id }) => ({ id })), failed: [...failed, ...confirmed] };
    }),
  ),

  propose: guardedApi.deposits.propose.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      const row = await lockOpen(tx, input);
      const { authors } = await requireAllowed(context, tx, row);
      const proposal = await proposeDeposit(context, tx, row, authors);
      if (!proposal || proposal.hash === row.statement) return unmodified(proposal);
      await keepStatement(tx, row, proposal.hash);
      const before = depositState(row);
      note({ entity: 'deposit', id: row.id, before, after: { ...before, statement: proposal.hash } });
      return proposal;
    }),
  ),

  confirm: guardedApi.deposits.confirm.handler(async ({ input, context }) => {
    const { config, now } = context.services;
    // Asks Bitcoin before locking. The answer counts only if the row has not changed since.
    const [claimed] = await readMany(context.db, [input.id]);
    const evidence = claimed ? await gatherEvidence(config, claimed) : null;
    return writeOnce(context, { ...input, signed: null }, async (tx, note) => {
      const before = await lockOpen(tx, input);
      const { evm, authors } = await requireAllowed(context, tx, before);
      const isOfThis = claimed !== undefined && contentHash(claimed) === input.hash;
      if (!evidence || !isOfThis || evidence.verdict !== 'holds')
        throw moneyRefusal('EVIDENCE', { id: before.id, verdict: [evidence?.verdict ?? 'unverified'] });

      const signing = await signDeposit(context, tx, before, authors, input.signed ?? null);
      const { band, isNew, statement } = signing;
      const { missing, doubt } = await missingSignatures(context, tx, before, { ...signing, authors });
      const signed = { confirmedHash: input.hash, statement, evidence };
      if (missing > 0) {
        if (!isNew)
          throw doubt
            ? ineligibleErrorFor(before.id, doubt)
            : moneyRefusal('SIGNATURES', { id: before.id, missing: [String(missing)] });
        const row = await keepStatement(tx, before, statement);
        note({
          entity: 'deposit',
          id: row.id,
          action: 'sign',
          before: depositState(before),
          after: { ...depositState(row), ...signed, missing },
        });
        return { ...(await presentDeposit(context, tx, row)), missing };
      }
      if (input.onlySigns) throw moneyRefusal('CHANGED', { id: before.id });
      await requireRoomToday(context, tx, before, band);

      const at = new Date(now());
      const [after] = await tx
        .update(table)
        .set({
          status: 'confirmed',
          mintStatus: 'queued',
          confirmedBy: requirePerson(context).id,
          confirmedAt: at,
          statement,
          ...nextVersion(context, table),
        })
        .where(and(eq(table.id, before.id), eq(table.status, 'created')))
        .returning();
      if (!after) throw moneyRefusal('CONFIRMED', { id: before.id });
      await tx.insert(mints).values({
        id: newId(),
        depositId: after.id,
        depositHash: depositHash(after.network, after.txid, after.vout),
        ...deploymentOf(evm),
        signFrom: signFrom(band, at),
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
        before: depositState(before),
        after: { ...depositState(after), ...signed },
      });
      return presentDeposit(context, tx, after);
    });
  }),

  retryMint: guardedApi.deposits.retryMint.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      const before = await lockRow(tx, table, input, depositState);
      if (await isFrozen(tx)) throw moneyRefusal('FROZEN');
      const block = await openBlock(tx, before);
      if (block) throw blockedError(before.id, block);
      const at = new Date(context.services.now());
      const standingOf = await readApprovalStatus(context.services, tx);
      const { band } = standingOf({ statement: before.statement, satoshi: before.amount });
      const mint = await requeueMint(tx, before.id, at, band && signFrom(band, at));
      if (!mint) throw moneyRefusal('NOT_FAILED', { id: before.id });
      const [after] = await tx
        .update(table)
        .set({ mintStatus: 'queued', ...nextVersion(context, table) })
        .where(eq(table.id, before.id))
        .returning();
      if (!after) throw appError('NOT_FOUND');
      note({ entity: 'deposit', id: after.id, before: depositState(before), after: depositState(after) });
      return presentDeposit(context, tx, after);
    }),
  ),
};

/** Not a new version: open forms show the same fields. */
async function keepStatement(tx: Tx, { id }: Deposit, statement: string): Promise<Deposit> {
  const [row] = await tx.update(table).set({ statement }).where(eq(table.id, id)).returning();
  if (!row) throw appError('NOT_FOUND');
  return row;
}

/** Null: no delay. */
const signFrom = ({ delaySeconds }: AuthorityBand, at: Date): Date | null =>
  delaySeconds > 0 ? new Date(at.getTime() + delaySeconds * 1000) : null;

const readMany = (queries: Queries, ids: readonly string[]): Promise<Deposit[]> =>
  queries
    .select()
    .from(table)
    .where(inArray(table.id, [...ids]));

/** Locks the row. It must be created and have the reviewed fields. */
async function lockOpen(tx: Tx, { hash, ...item }: { id: string; version: number; hash: string }): Promise<Deposit> {
  const row = await lockRow(tx, table, item, depositState);
  if (row.status !== 'created') throw moneyRefusal('CONFIRMED', { id: row.id });
  if (contentHash(row) !== hash) throw moneyRefusal('CHANGED', { id: row.id });
  return row;
}

/** Throws BAD_REQUEST for an address of another network or without an owner. */
function valuesOf({ services }: RequestContext, fields: DepositFields) {
  const { bitcoinNetwork: network } = services.config;
  const coboAddress = parseBitcoinAddress(fields.coboAddress, network);
  if (coboAddress === null) throw badField('coboAddress', 'bitcoin');
  const { userAddress, txid, vout, type, remarks } = fields;
  if (isUnownedAddress(userAddress, services.config)) throw badField('userAddress', 'receiver');
  const lockTime = fields.lockTime === null ? null : new Date(fields.lockTime);
  return { userAddress, amount: BigInt(fields.amount), coboAddress, network, txid, vout, type, remarks, lockTime };
}

const modifiedBy = (context: RequestContext) => {
  const { id, email } = requirePerson(context);
  return { modifiedBy: id, modifiedEmail: email };
};

const claimFromInput = ({ services }: RequestContext, { coboAddress, amount }: { coboAddress: string; amount: string }) => ({
  coboAddress: parseBitcoinAddress(coboAddress.trim(), services.config.bitcoinNetwork),
  amount: satoshiSchema().safeParse(amount).success ? BigInt(amount) : null,
});

async function claimOf(context: RequestContext, id: string) {
  const [row] = await readMany(context.db, [id]);
  if (!row) throw appError('NOT_FOUND');
  return { ...row, except: row.id };
}

/** Besides `except` and deposits that were closed without a mint. */
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
  return appError('DEPOSIT_KNOWN', { ids: known === null ? [] : [known] });
}

const filter = createFilter({
  table,
  fields: depositFilters,
  filterConditions: {
    q: searchCondition(matchesHashOrAddress),
    status: table.status,
    mintStatus: table.mintStatus,
    blocked: (claim) => {
      const requestedValues = chosenValues(claim, ['true', 'false']);
      return requestedValues.length === 2 ? undefined : requestedValues[0] === 'true' ? isBlockedRow : not(isBlockedRow);
    },
    amount: table.amount,
    createdAt: table.createdAt,
  },
});
