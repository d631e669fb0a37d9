import { and, eq, inArray, ne, not } from 'drizzle-orm';
import type { AuthorityBand } from '../../api/authority/statements.ts';
import type { DepositFields } from '../../api/deposits/contract.ts';
import { depositFilters } from '../../api/deposits/filters.ts';
import { satoshiToWei } from '../../api/money.ts';
import { satoshiSchema } from '../../api/money-fields.ts';
import { depositHash } from '../../chain/deposit-hash.ts';
import { matchesHashOrAddress } from './shared/hash-or-address.ts';
import { isUnownedAddress } from './shared/unowned-address.ts';
import { readApprovalStatus } from '../authority/shared/approval-status.ts';
import { isBlockedRow, readOpenBlock } from './shared/blocks.ts';
import { gatherEvidence } from '../mints/evidence.ts';
import { hashContent, presentDeposit, presentDeposits, depositState, type Deposit } from './rows.ts';
import {
  createMoneyRefusal,
  createBlockedError,
  createIneligibleError,
  requireMintAllowed,
  requireDailyAllowance,
  countMissingSignatures,
} from './mint-policy.ts';
import { isFrozen } from '../custody/shared/freezes.ts';
import { deploymentOf } from '../mints/deployment.ts';
import { mintStops } from './mint-stops.ts';
import { readMintEffect } from './mint-effect.ts';
import { proposeDeposit, signDeposit } from './mint-signature.ts';
import { readDepositTransaction } from './transaction.ts';
import { findSigningRefusal } from './signing-refusal.ts';
import { requeueMint } from '../mints/mints.ts';
import { unblock } from './unblock.ts';
import { revocation } from './revocation.ts';
import { parseBitcoinAddress } from '../../chain/bitcoin-address.ts';
import { requirePerson, type RequestContext } from '../platform/services/context.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { getDatabaseErrorCode } from '../platform/core/error-code.ts';
import { createFieldError, createAppError } from '../platform/core/errors.ts';
import { selectedValues, createFilter, createSearchCondition } from '../platform/records/filter.ts';
import { readHistory, readVersions } from '../platform/records/history.ts';
import { newId } from '../platform/core/ids.ts';
import { guardedApi } from '../platform/http/router.ts';
import { createListHandlers } from '../platform/records/list-handlers.ts';
import { lockRow, lockRows, nextVersionColumns } from '../platform/records/versions.ts';
import { asUnmodified, writeOnce } from '../platform/records/write.ts';
import { deposits as table } from './tables.ts';
import { mints } from '../mints/tables.ts';

const listHandlersOf = createListHandlers({
  table,
  sorts: { createdAt: table.createdAt, amount: table.amount },
  filter: () => filter,
  present: (context, rows) => presentDeposits(context, context.db, rows),
});

export const deposits = {
  list: guardedApi.deposits.list.handler(listHandlersOf.list),

  values: guardedApi.deposits.values.handler(listHandlersOf.values),

  many: guardedApi.deposits.many.handler(listHandlersOf.many),

  history: guardedApi.deposits.history.handler(({ input, context }) => readHistory(context, 'deposit', input)),

  versions: guardedApi.deposits.versions.handler(({ input, context }) =>
    readVersions(context, 'deposit', input.ids, async (ids) => (await readDeposits(context.db, ids)).map(depositState)),
  ),

  evidence: guardedApi.deposits.evidence.handler(async ({ input, context }) => {
    const { config, now } = context.services;
    const claim =
      'id' in input ? await readEvidenceClaim(context, input.id) : { ...input, ...parseEvidenceInput(context, input) };
    const { txid, vout, coboAddress, amount, except } = claim;
    const [evidence, effect, refusal] = await Promise.all([
      gatherEvidence(config, { txid, vout, coboAddress: coboAddress ?? '', amount: amount ?? 0n }),
      'userAddress' in claim ? readMintEffect(context, claim) : null,
      'userAddress' in claim ? findSigningRefusal(context, claim) : null,
    ]);
    return {
      ...evidence,
      effect,
      refusal,
      claim: { coboAddress, amount: amount?.toString() ?? null },
      known: await findDuplicate(context, context.db, { txid, vout }, except),
      at: new Date(now()).toISOString(),
    };
  }),

  transaction: guardedApi.deposits.transaction.handler(({ input, context }) => readDepositTransaction(context, input.txid)),

  ...mintStops,
  unblock,
  ...revocation,

  add: guardedApi.deposits.add.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const values = columnValuesOf(context, input);
      const now = new Date(context.services.now());
      const authorFields = { createdBy: requirePerson(context).id, ...modifierFields(context) };
      const [row] = await tx
        .insert(table)
        .values({ ...values, ...authorFields, id: newId(), createdAt: now, updatedAt: now })
        .onConflictDoNothing()
        .returning();
      if (!row) throw await createDuplicateError(context, tx, values);
      recordAudit({ entity: 'deposit', id: row.id, after: depositState(row) });
      return presentDeposit(context, tx, row);
    }),
  ),

  edit: guardedApi.deposits.edit.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const { id, version, ...fields } = input;
      const previousDeposit = await lockRow(tx, table, { id, version }, depositState);
      if (previousDeposit.status !== 'created') throw createMoneyRefusal('CONFIRMED', { id });
      const values = columnValuesOf(context, fields);
      if (hashContent({ ...previousDeposit, ...values }) === hashContent(previousDeposit))
        return asUnmodified(await presentDeposit(context, tx, previousDeposit));
      // Checked before the insert, so that the error can name the other deposit.
      if (await findDuplicate(context, tx, values, id)) throw await createDuplicateError(context, tx, values, id);
      const [updatedDeposit] = await tx
        .update(table)
        // Even if the fields return to an earlier content, people sign again.
        .set({ ...values, statement: null, ...modifierFields(context), ...nextVersionColumns(context, table) })
        .where(eq(table.id, id))
        .returning()
        .catch((error: unknown) => {
          throw getDatabaseErrorCode(error) === '23505' ? createAppError('DEPOSIT_KNOWN', { ids: [] }) : error;
        });
      if (!updatedDeposit) throw createAppError('NOT_FOUND');
      recordAudit({ entity: 'deposit', id, before: depositState(previousDeposit), after: depositState(updatedDeposit) });
      return presentDeposit(context, tx, updatedDeposit);
    }),
  ),

  remove: guardedApi.deposits.remove.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const { rows, failed } = await lockRows(tx, table, input.items, depositState);
      const deletableRows = rows.filter(({ status }) => status === 'created');
      const [firstRow] = rows;
      if (deletableRows.length === 0) throw createMoneyRefusal('CONFIRMED', { id: firstRow?.id });
      await tx.delete(table).where(
        inArray(
          table.id,
          deletableRows.map(({ id }) => id),
        ),
      );
      for (const row of deletableRows) recordAudit({ entity: 'deposit', id: row.id, before: depositState(row) });
      const confirmedItems = rows
        .filter((row) => !deletableRows.includes(row))
        .map(({ id }) => ({ id, code: 'INCOMPLETE' as const }));
      return { done: deletableRows.map(({ id }) => ({ id })), failed: [...failed, ...confirmedItems] };
    }),
  ),

  propose: guardedApi.deposits.propose.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const row = await lockUnconfirmed(tx, input);
      const { authors } = await requireMintAllowed(context, tx, row);
      const proposal = await proposeDeposit(context, tx, row, authors);
      if (!proposal || proposal.hash === row.statement) return asUnmodified(proposal);
      await storeStatement(tx, row, proposal.hash);
      const previousState = depositState(row);
      recordAudit({
        entity: 'deposit',
        id: row.id,
        before: previousState,
        after: { ...previousState, statement: proposal.hash },
      });
      return proposal;
    }),
  ),

  confirm: guardedApi.deposits.confirm.handler(async ({ input, context }) => {
    const { config, now } = context.services;
    // Asks Bitcoin before locking. The answer counts only if the row has not changed since.
    const [depositBeforeLock] = await readDeposits(context.db, [input.id]);
    const evidence = depositBeforeLock ? await gatherEvidence(config, depositBeforeLock) : null;
    return writeOnce(context, { ...input, signed: null }, async (tx, recordAudit) => {
      const previousDeposit = await lockUnconfirmed(tx, input);
      const { evm, authors } = await requireMintAllowed(context, tx, previousDeposit);
      const isUnchanged = depositBeforeLock !== undefined && hashContent(depositBeforeLock) === input.hash;
      if (!evidence || !isUnchanged || evidence.verdict !== 'holds')
        throw createMoneyRefusal('EVIDENCE', { id: previousDeposit.id, verdict: [evidence?.verdict ?? 'unverified'] });

      const signResult = await signDeposit(context, tx, previousDeposit, authors, input.signed ?? null);
      const { band, isNew, statement } = signResult;
      const { missing, doubt } = await countMissingSignatures(context, tx, previousDeposit, { ...signResult, authors });
      const signedFields = { confirmedHash: input.hash, statement, evidence };
      if (missing > 0) {
        if (!isNew)
          throw doubt
            ? createIneligibleError(previousDeposit.id, doubt)
            : createMoneyRefusal('SIGNATURES', { id: previousDeposit.id, missing: [String(missing)] });
        const row = await storeStatement(tx, previousDeposit, statement);
        recordAudit({
          entity: 'deposit',
          id: row.id,
          action: 'sign',
          before: depositState(previousDeposit),
          after: { ...depositState(row), ...signedFields, missing },
        });
        return { ...(await presentDeposit(context, tx, row)), missing };
      }
      if (input.onlySigns) throw createMoneyRefusal('CHANGED', { id: previousDeposit.id });
      await requireDailyAllowance(context, tx, previousDeposit, band);

      const confirmedAt = new Date(now());
      const [updatedDeposit] = await tx
        .update(table)
        .set({
          status: 'confirmed',
          mintStatus: 'queued',
          confirmedBy: requirePerson(context).id,
          confirmedAt,
          statement,
          ...nextVersionColumns(context, table),
        })
        .where(and(eq(table.id, previousDeposit.id), eq(table.status, 'created')))
        .returning();
      if (!updatedDeposit) throw createMoneyRefusal('CONFIRMED', { id: previousDeposit.id });
      await tx.insert(mints).values({
        id: newId(),
        depositId: updatedDeposit.id,
        depositHash: depositHash(updatedDeposit.network, updatedDeposit.txid, updatedDeposit.vout),
        ...deploymentOf(evm),
        signFrom: earliestSigningTime(band, confirmedAt),
        recipient: updatedDeposit.userAddress,
        amount: satoshiToWei(updatedDeposit.amount),
        state: 'queued',
        nextAt: confirmedAt,
        createdAt: confirmedAt,
        updatedAt: confirmedAt,
      });
      recordAudit({
        entity: 'deposit',
        id: updatedDeposit.id,
        before: depositState(previousDeposit),
        after: { ...depositState(updatedDeposit), ...signedFields },
      });
      return presentDeposit(context, tx, updatedDeposit);
    });
  }),

  retryMint: guardedApi.deposits.retryMint.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const previousDeposit = await lockRow(tx, table, input, depositState);
      if (await isFrozen(tx)) throw createMoneyRefusal('FROZEN');
      const block = await readOpenBlock(tx, previousDeposit);
      if (block) throw createBlockedError(previousDeposit.id, block);
      const confirmedAt = new Date(context.services.now());
      const getApprovalStatus = await readApprovalStatus(context.services, tx);
      const { band } = getApprovalStatus({ statement: previousDeposit.statement, satoshi: previousDeposit.amount });
      const mint = await requeueMint(tx, previousDeposit.id, confirmedAt, band && earliestSigningTime(band, confirmedAt));
      if (!mint) throw createMoneyRefusal('NOT_FAILED', { id: previousDeposit.id });
      const [updatedDeposit] = await tx
        .update(table)
        .set({ mintStatus: 'queued', ...nextVersionColumns(context, table) })
        .where(eq(table.id, previousDeposit.id))
        .returning();
      if (!updatedDeposit) throw createAppError('NOT_FOUND');
      recordAudit({
        entity: 'deposit',
        id: updatedDeposit.id,
        before: depositState(previousDeposit),
        after: depositState(updatedDeposit),
      });
      return presentDeposit(context, tx, updatedDeposit);
    }),
  ),
};

/** Not a new version: open forms show the same fields. */
async function storeStatement(tx: Tx, { id }: Deposit, statement: string): Promise<Deposit> {
  const [row] = await tx.update(table).set({ statement }).where(eq(table.id, id)).returning();
  if (!row) throw createAppError('NOT_FOUND');
  return row;
}

/** Null: no delay. */
const earliestSigningTime = ({ delaySeconds }: AuthorityBand, confirmedAt: Date): Date | null =>
  delaySeconds > 0 ? new Date(confirmedAt.getTime() + delaySeconds * 1000) : null;

const readDeposits = (queries: Queries, ids: readonly string[]): Promise<Deposit[]> =>
  queries
    .select()
    .from(table)
    .where(inArray(table.id, [...ids]));

/** Locks the row. It must be created and have the reviewed fields. */
async function lockUnconfirmed(tx: Tx, { hash, ...item }: { id: string; version: number; hash: string }): Promise<Deposit> {
  const row = await lockRow(tx, table, item, depositState);
  if (row.status !== 'created') throw createMoneyRefusal('CONFIRMED', { id: row.id });
  if (hashContent(row) !== hash) throw createMoneyRefusal('CHANGED', { id: row.id });
  return row;
}

/** Throws BAD_REQUEST for an address of another network or without an owner. */
function columnValuesOf({ services }: RequestContext, fields: DepositFields) {
  const { bitcoinNetwork: network } = services.config;
  const coboAddress = parseBitcoinAddress(fields.coboAddress, network);
  if (coboAddress === null) throw createFieldError('coboAddress', 'bitcoin');
  const { userAddress, txid, vout, type, remarks } = fields;
  if (isUnownedAddress(userAddress, services.config)) throw createFieldError('userAddress', 'receiver');
  const lockTime = fields.lockTime === null ? null : new Date(fields.lockTime);
  return { userAddress, amount: BigInt(fields.amount), coboAddress, network, txid, vout, type, remarks, lockTime };
}

const modifierFields = (context: RequestContext) => {
  const { id, email } = requirePerson(context);
  return { modifiedBy: id, modifiedEmail: email };
};

const parseEvidenceInput = ({ services }: RequestContext, { coboAddress, amount }: { coboAddress: string; amount: string }) => ({
  coboAddress: parseBitcoinAddress(coboAddress.trim(), services.config.bitcoinNetwork),
  amount: satoshiSchema().safeParse(amount).success ? BigInt(amount) : null,
});

async function readEvidenceClaim(context: RequestContext, id: string) {
  const [row] = await readDeposits(context.db, [id]);
  if (!row) throw createAppError('NOT_FOUND');
  return { ...row, except: row.id };
}

/** Besides `except` and deposits that were closed without a mint. */
async function findDuplicate(
  { services }: RequestContext,
  queries: Queries,
  { txid, vout }: { txid: string; vout: number },
  except: string | null = null,
): Promise<string | null> {
  const isOfOutput = and(eq(table.network, services.config.bitcoinNetwork), eq(table.txid, txid), eq(table.vout, vout));
  const isDuplicate = and(isOfOutput, ne(table.mintStatus, 'closed'));
  const [row] = await queries
    .select({ id: table.id })
    .from(table)
    .where(except === null ? isDuplicate : and(isDuplicate, ne(table.id, except)));
  return row?.id ?? null;
}

async function createDuplicateError(context: RequestContext, tx: Tx, output: { txid: string; vout: number }, except?: string) {
  const duplicateId = await findDuplicate(context, tx, output, except);
  return createAppError('DEPOSIT_KNOWN', { ids: duplicateId === null ? [] : [duplicateId] });
}

const filter = createFilter({
  table,
  fields: depositFilters,
  filterConditions: {
    q: createSearchCondition(matchesHashOrAddress),
    status: table.status,
    mintStatus: table.mintStatus,
    blocked: (claim) => {
      const requestedValues = selectedValues(claim, ['true', 'false']);
      return requestedValues.length === 2 ? undefined : requestedValues[0] === 'true' ? isBlockedRow : not(isBlockedRow);
    },
    amount: table.amount,
    createdAt: table.createdAt,
  },
});
