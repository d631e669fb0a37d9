import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, inArray, not, or, sql, type SQL } from 'drizzle-orm';
import type { Hex } from 'viem';
import type { PreparedRefund, WithdrawalRow } from '../../api/withdrawals/contract.ts';
import type { Condition } from '../../api/filter.ts';
import { toSafeInteger } from '../../api/integers.ts';
import { withdrawalFilters } from '../../api/withdrawals/filters.ts';
import { findNames, findReceiversByName } from '../authority/shared/address-book.ts';
import { requireEligibleSigners } from '../authority/shared/eligible-signers.ts';
import { readPayoutAddresses } from '../authority/shared/refund-approval.ts';
import { isFrozen } from '../custody/shared/freezes.ts';
import { isBlockedRow, readOpenBlock } from '../deposits/shared/blocks.ts';
import { matchesHashOrAddress } from '../deposits/shared/hash-or-address.ts';
import { deposits } from '../deposits/tables.ts';
import { lockCurrentHolders } from '../platform/auth/rights/current-holders.ts';
import { parseBitcoinAddress } from '../../chain/bitcoin-address.ts';
import type { EvmConfig } from '../platform/core/config.ts';
import { requirePerson, type RequestContext } from '../platform/services/context.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { getDatabaseErrorCode } from '../platform/core/error-code.ts';
import { createFieldError, createAppError } from '../platform/core/errors.ts';
import { newId } from '../platform/core/ids.ts';
import { addressPrefixCondition } from '../platform/evm/address.ts';
import { createBridgeChain, type BridgeChain } from '../platform/evm/bridge.ts';
import { guardedApi } from '../platform/http/router.ts';
import { selectedValues, combineValues, createFilter, createSearchCondition } from '../platform/records/filter.ts';
import { readHistory } from '../platform/records/history.ts';
import { createListHandlers } from '../platform/records/list-handlers.ts';
import { lockRow, nextVersionColumns, requireRow, type ItemVersion } from '../platform/records/versions.ts';
import { asUnmodified, writeOnce } from '../platform/records/write.ts';
import { readWithdrawalAuthors } from './authors.ts';
import { isCooled } from './shared/cooled.ts';
import { awaitsSignatureOf } from './shared/awaiting-signature.ts';
import {
  blockedErrorData,
  isRefundApproved,
  refundDeployment,
  proposeWithdrawal,
  createRefundRefusal,
  requireSignedRefund,
  signWithdrawal,
} from './refund-approval.ts';
import { createRefundCall, readMatchingDeposit, writeIntent } from './refund-intents.ts';
import { isOnChain } from './refund-state.ts';
import { bridgeRefunds, withdrawals as table, type Withdrawal } from './tables.ts';
import { presentWithdrawal, presentWithdrawals, withdrawalState } from './rows.ts';

// Records, signs and voids withdrawals. Only bridge-watcher.ts moves what is on chain.

const listHandlersOf = createListHandlers({
  table,
  sorts: { createdAt: table.createdAt, amount: table.amount },
  filter: (context) => createContextFilter(context),
  present: (context, rows) => presentWithdrawals(context, context.db, rows),
});

export const withdrawals = {
  list: guardedApi.withdrawals.list.handler(listHandlersOf.list),

  values: guardedApi.withdrawals.values.handler(listHandlersOf.values),

  many: guardedApi.withdrawals.many.handler(listHandlersOf.many),

  history: guardedApi.withdrawals.history.handler(({ input, context }) => readHistory(context, 'withdrawal', input)),

  candidates: guardedApi.withdrawals.candidates.handler(async ({ input, context }) => {
    const { services, db } = context;
    const q = input?.q?.trim() ?? '';
    const receiversByName = await findReceiversByName(services, db, q);
    const matchesSearch =
      receiversByName.length > 0
        ? or(matchesHashOrAddress(q), inArray(deposits.userAddress, receiversByName))
        : matchesHashOrAddress(q);
    const condition = and(hasNoOpenWithdrawal(), matchesSearch, input?.id ? eq(deposits.id, input.id) : undefined);
    const rows = await db.select().from(deposits).where(condition).orderBy(deposits.createdAt, deposits.id).limit(200);
    const names = await findNames(
      services,
      db,
      rows.map(({ userAddress }) => userAddress),
    );
    return rows.map(({ id, userAddress, amount, txid, vout }) => ({
      id,
      address: userAddress,
      institution: names.find(({ address }) => address === userAddress)?.name ?? null,
      amount: amount.toString(),
      txid,
      vout,
    }));
  }),

  payouts: guardedApi.withdrawals.payouts.handler(async ({ input, context: { services, db } }) => {
    const [deposit] = await db.select().from(deposits).where(eq(deposits.id, input.depositId));
    if (!deposit) throw createFieldError('depositId');
    const addresses = await readPayoutAddresses(services, db, deposit.userAddress);
    const [namedAddress] = await findNames(services, db, [deposit.userAddress]);
    return { institution: namedAddress?.name ?? null, addresses: [...addresses] };
  }),

  add: guardedApi.withdrawals.add.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const { services } = context;
      await requireNotFrozen(tx);
      const [deposit] = await tx.select().from(deposits).where(eq(deposits.id, input.depositId)).for('update');
      if (!deposit) throw createFieldError('depositId');
      if (deposit.mintStatus !== 'done' || deposit.withdrawStatus !== 'default') throw createFieldError('depositId', 'withdrawn');
      const receiver = parseBitcoinAddress(input.receiver, deposit.network);
      if (receiver === null) throw createFieldError('receiver', 'bitcoin');
      await requireNotBlocked(tx, deposit);
      const payoutAddresses = await readPayoutAddresses(services, tx, deposit.userAddress);
      if (!payoutAddresses.includes(receiver)) throw createRefundRefusal('PAYOUT');
      const now = new Date(services.now());
      const [row] = await tx
        .insert(table)
        .values({
          id: newId(),
          depositId: deposit.id,
          address: deposit.userAddress,
          amount: deposit.amount,
          receiver,
          txid: deposit.txid,
          createdBy: requirePerson(context).id,
          createdAt: now,
          updatedAt: now,
        })
        .returning()
        .catch((error: unknown) => {
          throw getDatabaseErrorCode(error) === '23505' ? createFieldError('depositId', 'withdrawn') : error;
        });
      if (!row) throw new Error('the insert returned no row');
      await tx
        .update(deposits)
        .set({ withdrawStatus: 'requested', version: sql`${deposits.version} + 1`, updatedAt: now })
        .where(eq(deposits.id, deposit.id));
      recordAudit({ entity: 'withdrawal', id: row.id, after: withdrawalState(services)(row) });
      return presentWithdrawal(context, tx, row);
    }),
  ),

  propose: guardedApi.withdrawals.propose.handler(async ({ input, context }) => {
    const bridgeNonce = await readFirstNonce(context, input.id);
    return writeOnce(context, input, async (tx, recordAudit) => {
      const signingInput = await lockForSigning(context, tx, input, bridgeNonce);
      const { row } = signingInput;
      const proposal = await proposeWithdrawal(context, tx, signingInput);
      if (!proposal || proposal.hash === row.statement) return asUnmodified(proposal);
      await storeStatement(tx, signingInput, proposal.hash);
      const previousState = withdrawalState(context.services)(row);
      recordAudit({
        entity: 'withdrawal',
        id: row.id,
        before: previousState,
        after: { ...previousState, statement: proposal.hash },
      });
      return proposal;
    });
  }),

  signRefund: guardedApi.withdrawals.signRefund.handler(async ({ input, context }) => {
    const bridgeNonce = await readFirstNonce(context, input.id);
    return writeOnce(context, { ...input, signed: null }, async (tx, recordAudit) => {
      const signingInput = await lockForSigning(context, tx, input, bridgeNonce);
      const { statement, missing, isNew } = await signWithdrawal(context, tx, signingInput, input.signed ?? null);
      if (isNew && missing === 0 && input.onlySigns) throw createRefundRefusal('CHANGED', { id: input.id });
      const row = await storeStatement(tx, signingInput, statement);
      const presentedRow = await presentWithdrawal(context, tx, row);
      if (!isNew) return asUnmodified(presentedRow);
      const previousState = withdrawalState(context.services)(signingInput.row);
      recordAudit({
        entity: 'withdrawal',
        id: row.id,
        action: 'sign',
        before: previousState,
        after: { ...previousState, statement, missing },
      });
      return presentedRow;
    });
  }),

  cancel: guardedApi.withdrawals.cancel.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const record = withdrawalState(context.services);
      const previousRow = await lockRow(tx, table, input, record);
      // A request may be on its way, so only the chain can tell.
      if (previousRow.status !== 'todo' || previousRow.requestHash !== null)
        throw createAppError('CONFLICT', { current: record(previousRow) });
      if (!(await canCancel(context, tx, previousRow))) {
        const condition = { cancelAskedBy: requirePerson(context).id, cancelAskedAt: new Date(context.services.now()) };
        const row = await updateWithdrawal(tx, context, previousRow, condition);
        recordAudit({ entity: 'withdrawal', id: row.id, action: 'askCancel', before: record(previousRow), after: record(row) });
        return presentWithdrawal(context, tx, row);
      }
      const updatedRow = await updateWithdrawal(tx, context, previousRow, { status: 'canceled' });
      await tx
        .update(deposits)
        .set({ withdrawStatus: 'default', version: sql`${deposits.version} + 1`, updatedAt: new Date(context.services.now()) })
        .where(eq(deposits.id, updatedRow.depositId));
      recordAudit({ entity: 'withdrawal', id: updatedRow.id, before: record(previousRow), after: record(updatedRow) });
      return presentWithdrawal(context, tx, updatedRow);
    }),
  ),

  offerAgain: guardedApi.withdrawals.offerAgain.handler(async ({ input, context }) => {
    const { services } = context;
    const evm = requireEvm(context);
    const [rowBeforeLock] = await context.db.select().from(table).where(eq(table.id, input.id));
    if (!rowBeforeLock) throw createAppError('NOT_FOUND');
    const hasRefundOnChain = await isOnChain(
      { services, chain: requireBridge(context), settled: evm.mintDepth },
      rowBeforeLock,
    ).catch(throwUnavailable);
    return writeOnce(context, input, async (tx, recordAudit) => {
      await requireNotFrozen(tx);
      const record = withdrawalState(services);
      const previousRow = await lockRow(tx, table, input, record);
      if (previousRow.status !== 'gone' || hasRefundOnChain) throw createAppError('CONFLICT', { current: record(previousRow) });
      // bridge_refunds keeps the nonce, so that a returning request is assigned to this withdrawal.
      const updatedRow = await updateWithdrawal(tx, context, previousRow, { status: 'todo', nonce: null, requestHash: null });
      recordAudit({ entity: 'withdrawal', id: updatedRow.id, before: record(previousRow), after: record(updatedRow) });
      return presentWithdrawal(context, tx, updatedRow);
    });
  }),

  prepareRequest: guardedApi.withdrawals.prepareRequest.handler(({ input, context }) =>
    prepareRefundCall(context, input, 'request', ({ status, requestHash }) => status === 'todo' && requestHash === null),
  ),

  requestRefund: guardedApi.withdrawals.requestRefund.handler(({ input, context }) =>
    storeTransactionHash(context, input, 'request', ({ status }) => status === 'todo'),
  ),

  prepareConfirm: guardedApi.withdrawals.prepareConfirm.handler(({ input, context }) =>
    prepareRefundCall(context, input, 'confirm', (row) => {
      const { coolsUntil } = withdrawalState(context.services)(row);
      return row.status === 'doing' && coolsUntil !== null && Date.parse(coolsUntil) <= context.services.now();
    }),
  ),

  confirmRefund: guardedApi.withdrawals.confirmRefund.handler(({ input, context }) =>
    storeTransactionHash(context, input, 'confirm', ({ status }) => status === 'doing'),
  ),
};

const createFilterFor = (toSign: SQL) =>
  createFilter({
    table,
    fields: withdrawalFilters,
    few: { of: ['address'], in: table },
    filterConditions: {
      address: createSearchCondition((text) => addressPrefixCondition(table.address, text)),
      status: table.status,
      cooled: (condition, { services }) => {
        const isCooledSql = isCooled(new Date(services.now()));
        const isNotCooledSql = sql`(${isCooledSql}) is not true`; // null for one that never cooled
        return (
          or(
            ...selectedValues(condition, ['true', 'false']).map((requestedValue) =>
              requestedValue === 'true' ? isCooledSql : isNotCooledSql,
            ),
          ) ?? sql`false`
        );
      },
      toSign: (condition) => {
        const requestedValues = selectedValues(condition, ['true', 'false']);
        return requestedValues.length === 2 ? undefined : requestedValues[0] === 'true' ? toSign : sql`not (${toSign})`;
      },
      amount: table.amount,
      createdAt: table.createdAt,
      receiver: {
        of: table.receiver,
        where: (condition) => combineValues(condition, (receiver) => inArray(table.receiver, [receiver, receiver.toLowerCase()])),
      },
      hash: (condition) => createHashCondition(condition),
    },
  });

const createContextFilter = async (context: RequestContext) => createFilterFor(await awaitsSignatureOf(context));

const hasNoOpenWithdrawal = () =>
  and(
    eq(deposits.status, 'confirmed'),
    eq(deposits.mintStatus, 'done'),
    eq(deposits.withdrawStatus, 'default'),
    not(isBlockedRow),
  );

/** Case-insensitive, with or without 0x. */
const createHashCondition = (condition: Condition) =>
  combineValues(condition, (hash) => matchesHash(hash.toLowerCase().replace(/^0x/, '')));

const matchesHash = (hashText: string): SQL | undefined =>
  or(
    eq(table.txid, hashText),
    eq(sql`lower(${table.requestHash})`, `0x${hashText}`),
    eq(sql`lower(${table.confirmHash})`, `0x${hashText}`),
  );

async function updateWithdrawal(
  tx: Tx,
  context: RequestContext,
  { id }: Withdrawal,
  changes: Partial<Withdrawal>,
): Promise<Withdrawal> {
  const rows = await tx
    .update(table)
    .set({ ...changes, ...nextVersionColumns(context, table) })
    .where(eq(table.id, id))
    .returning();
  return requireRow(rows);
}

async function requireNotFrozen(queries: Queries): Promise<void> {
  if (await isFrozen(queries)) throw createAppError('MONEY_FROZEN');
}

async function requireNotBlocked(tx: Tx, deposit: typeof deposits.$inferSelect): Promise<void> {
  const blockedRefusal = blockedErrorData((await readOpenBlock(tx, deposit))?.reason ?? null);
  if (blockedRefusal) throw createAppError('MONEY_REFUSED', blockedRefusal);
}

/** The bridge's counter at the first proposal, or now, read before locking. */
async function readFirstNonce(context: RequestContext, id: string): Promise<number> {
  const [row] = await context.db.select({ firstNonce: table.firstNonce }).from(table).where(eq(table.id, id));
  if (!row) throw createAppError('NOT_FOUND');
  return row.firstNonce ?? toSafeInteger(await requireBridge(context).count().catch(throwUnavailable));
}

/** Locks the row. It must not be requested yet and be unchanged since the review. */
async function lockForSigning(context: RequestContext, tx: Tx, item: ItemVersion, bridgeNonce: number) {
  await requireNotFrozen(tx);
  const record = withdrawalState(context.services);
  const row = await lockRow(tx, table, item, record);
  const deposit = await readMatchingDeposit(tx, row);
  if (row.status !== 'todo' || row.requestHash !== null || !deposit) throw createAppError('CONFLICT', { current: record(row) });
  await requireNotBlocked(tx, deposit);
  const authors = (await readWithdrawalAuthors(tx, [row]))(row);
  return { evm: requireEvm(context), row, deposit, authors, firstNonce: row.firstNonce ?? bridgeNonce };
}

/** Not a new version: open forms show the same fields. */
async function storeStatement(
  tx: Tx,
  { row: { id }, firstNonce }: { row: Withdrawal; firstNonce: number },
  statement: string,
): Promise<Withdrawal> {
  return requireRow(await tx.update(table).set({ statement, firstNonce }).where(eq(table.id, id)).returning());
}

/**
 * True: one's own, or consent to a colleague's request. False: a first request. Throws MONEY_REFUSED if someone else must
 * consent.
 */
async function canCancel(
  context: RequestContext,
  tx: Tx,
  { id, createdBy, cancelAskedBy: condition }: Withdrawal,
): Promise<boolean> {
  const actor = requirePerson(context);
  if (createdBy === actor.id) return true;
  if (condition === null || !(await lockCurrentHolders(tx, context, [condition], 'withdrawals.cancel')).has(condition))
    return false;
  if (condition === actor.id || !actor.granted.has('withdrawals.signRefund')) throw createRefundRefusal('CANCEL_ASKED', { id });
  await requireEligibleSigners(context, tx, { signers: [condition], coSigners: [] });
  return true;
}

function requireEvm({ services }: RequestContext): EvmConfig {
  const { evm } = services.config;
  if (!evm) throw createAppError('UNAVAILABLE');
  return evm;
}

function requireBridge(context: RequestContext): BridgeChain {
  const { urls, chainId, contracts } = requireEvm(context);
  return createBridgeChain({ urls, chainId, address: contracts.custodyBridge, signal: context.services.stopping });
}

const throwUnavailable = (error: unknown): never => {
  throw createAppError('UNAVAILABLE', undefined, error);
};

/** Records the intent if fully signed and unchanged. */
function prepareRefundCall(
  context: RequestContext,
  item: ItemVersion,
  action: 'request' | 'confirm',
  isDue: (row: Withdrawal) => boolean,
): Promise<PreparedRefund> {
  const evm = requireEvm(context);
  return writeOnce(context, item, async (tx, recordAudit) => {
    await requireNotFrozen(tx);
    const record = withdrawalState(context.services);
    const row = await lockRow(tx, table, item, record);
    const deposit = await readMatchingDeposit(tx, row);
    if (!isDue(row) || !deposit) throw createAppError('CONFLICT', { current: record(row) });
    await requireNotBlocked(tx, deposit);
    if (action === 'request')
      await requireSignedRefund(context, tx, { evm, row, authors: (await readWithdrawalAuthors(tx, [row]))(row) });
    else await requireRequestOfWithdrawal(context, tx, evm, row);
    const call = await writeIntent(tx, context, evm, row, action);
    recordAudit({ entity: 'withdrawal', id: row.id, before: record(row), after: { ...record(row), call } });
    return { ...(await presentWithdrawal(context, tx, row)), call };
  });
}

/** CONFLICT: the bridge shows another owner of the nonce. MONEY_REFUSED: the request is unsigned. */
async function requireRequestOfWithdrawal(context: RequestContext, tx: Tx, evm: EvmConfig, row: Withdrawal): Promise<void> {
  const { services } = context;
  const { nonce } = row;
  const deployment = refundDeployment(evm);
  const [storedRefund] =
    nonce === null
      ? []
      : await tx
          .select({ of: bridgeRefunds.withdrawalId, alarming: bridgeRefunds.alarming, seenAt: bridgeRefunds.seenAt })
          .from(bridgeRefunds)
          .where(
            and(
              eq(bridgeRefunds.chainId, deployment.chainId),
              eq(bridgeRefunds.bridge, deployment.bridge),
              eq(bridgeRefunds.nonce, nonce),
            ),
          );
  if (nonce === null || storedRefund?.of !== row.id)
    throw createAppError('CONFLICT', { current: withdrawalState(services)(row) });
  const hasSignedApproval =
    !storedRefund.alarming &&
    (await isRefundApproved(services, tx, row, { ...deployment, nonce, at: storedRefund.seenAt.getTime() }));
  if (!hasSignedApproval) throw createRefundRefusal('UNCOVERED', { id: row.id });
}

const hashFields = { request: 'requestHash', confirm: 'confirmHash' } as const;
/** Retries while the transaction spreads to our nodes. */
const retryPausesMs = [0, 1_000, 3_000];

/** The chain may have reported it first. */
async function storeTransactionHash(
  context: RequestContext,
  input: { id: string; hash: string },
  action: 'request' | 'confirm',
  isExpectingHash: (row: Withdrawal) => boolean,
): Promise<WithdrawalRow> {
  const field = hashFields[action];
  const [rowBeforeLock] = await context.db.select().from(table).where(eq(table.id, input.id));
  const isKnownTransaction =
    rowBeforeLock !== undefined &&
    isExpectingHash(rowBeforeLock) &&
    (await isSentTransaction(context, rowBeforeLock, action, input.hash as Hex));
  return writeOnce(context, input, async (tx, recordAudit) => {
    const record = withdrawalState(context.services);
    const [previousRow] = await tx.select().from(table).where(eq(table.id, input.id)).for('update');
    if (!previousRow) throw createAppError('NOT_FOUND');
    if (!isExpectingHash(previousRow) || previousRow[field] === input.hash)
      return asUnmodified(await presentWithdrawal(context, tx, previousRow));
    if (!isKnownTransaction) throw createRefundRefusal('UNKNOWN_TRANSACTION', { id: input.id });
    const updatedRow = await updateWithdrawal(tx, context, previousRow, { [field]: input.hash });
    recordAudit({ entity: 'withdrawal', id: input.id, before: record(previousRow), after: record(updatedRow) });
    return presentWithdrawal(context, tx, updatedRow);
  });
}

/** Requires exactly the call that the wallet was asked for. */
async function isSentTransaction(
  context: RequestContext,
  row: Withdrawal,
  action: 'request' | 'confirm',
  hash: Hex,
): Promise<boolean> {
  if (action === 'confirm' && row.nonce === null) return false;
  const call = createRefundCall(requireEvm(context), row, action);
  const chain = requireBridge(context);
  for (const pauseMs of retryPausesMs) {
    await sleep(pauseMs);
    const transaction = await chain.transaction(hash).catch(throwUnavailable);
    if (transaction) return transaction.from === call.from && transaction.to === call.to && transaction.data === call.data;
  }
  return false;
}
