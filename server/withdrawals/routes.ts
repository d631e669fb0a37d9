import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, inArray, not, or, sql, type SQL } from 'drizzle-orm';
import type { Hex } from 'viem';
import type { PreparedRefund, WithdrawalRow } from '../../api/withdrawals/contract.ts';
import type { Condition } from '../../api/filter.ts';
import { integerOf } from '../../api/integers.ts';
import { withdrawalFilters } from '../../api/withdrawals/filters.ts';
import { namesOf, findReceiversByName } from '../authority/shared/address-book.ts';
import { requireEligible } from '../authority/shared/eligible-signers.ts';
import { payoutsOf } from '../authority/shared/refund-approval.ts';
import { isFrozen } from '../custody/shared/freezes.ts';
import { isBlockedRow, openBlock } from '../deposits/shared/blocks.ts';
import { matchesHashOrAddress } from '../deposits/shared/hash-or-address.ts';
import { deposits } from '../deposits/tables.ts';
import { currentHolders } from '../platform/auth/rights/current-holders.ts';
import { parseBitcoinAddress } from '../../chain/bitcoin-address.ts';
import type { EvmConfig } from '../platform/core/config.ts';
import { requirePerson, type RequestContext } from '../platform/services/context.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { codeOf } from '../platform/core/error-code.ts';
import { badField, appError } from '../platform/core/errors.ts';
import { newId } from '../platform/core/ids.ts';
import { addressStarts } from '../platform/evm/address.ts';
import { bridgeChain, type BridgeChain } from '../platform/evm/bridge.ts';
import { guardedApi } from '../platform/http/router.ts';
import { chosenValues, combineValues, createFilter, searchCondition } from '../platform/records/filter.ts';
import { historyOf } from '../platform/records/history.ts';
import { listHandlers } from '../platform/records/list-handlers.ts';
import { lockRow, nextVersion, requireRow, type ItemVersion } from '../platform/records/versions.ts';
import { unmodified, writeOnce } from '../platform/records/write.ts';
import { withdrawalAuthorsOf } from './authors.ts';
import { isCooled } from './shared/cooled.ts';
import { waitsForSigner } from './shared/awaiting-signature.ts';
import {
  blockedErrorData,
  isApproved,
  refundDeployment,
  proposeWithdrawal,
  refundRefusal,
  requireSigned,
  signWithdrawal,
} from './refund-approval.ts';
import { callOf, depositOf, writeIntent } from './refund-intents.ts';
import { isOnChain } from './refund-state.ts';
import { bridgeRefunds, withdrawals as table, type Withdrawal } from './tables.ts';
import { presentWithdrawal, presentWithdrawals, withdrawalState } from './rows.ts';

// Records, signs and voids withdrawals. Only bridge-watcher.ts moves what is on chain.

const reads = listHandlers({
  table,
  sorts: { createdAt: table.createdAt, amount: table.amount },
  filter: (context) => filterFor(context),
  present: (context, rows) => presentWithdrawals(context, context.db, rows),
});

export const withdrawals = {
  list: guardedApi.withdrawals.list.handler(reads.list),

  values: guardedApi.withdrawals.values.handler(reads.values),

  many: guardedApi.withdrawals.many.handler(reads.many),

  history: guardedApi.withdrawals.history.handler(({ input, context }) => historyOf(context, 'withdrawal', input)),

  candidates: guardedApi.withdrawals.candidates.handler(async ({ input, context }) => {
    const { services, db } = context;
    const q = input?.q?.trim() ?? '';
    const called = await findReceiversByName(services, db, q);
    const isAsked =
      called.length > 0 ? or(matchesHashOrAddress(q), inArray(deposits.userAddress, called)) : matchesHashOrAddress(q);
    const condition = and(isFree(), isAsked, input?.id ? eq(deposits.id, input.id) : undefined);
    const rows = await db.select().from(deposits).where(condition).orderBy(deposits.createdAt, deposits.id).limit(200);
    const names = await namesOf(
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
    if (!deposit) throw badField('depositId');
    const addresses = await payoutsOf(services, db, deposit.userAddress);
    const [named] = await namesOf(services, db, [deposit.userAddress]);
    return { institution: named?.name ?? null, addresses: [...addresses] };
  }),

  add: guardedApi.withdrawals.add.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      const { services } = context;
      await refuseFrozen(tx);
      const [deposit] = await tx.select().from(deposits).where(eq(deposits.id, input.depositId)).for('update');
      if (!deposit) throw badField('depositId');
      if (deposit.mintStatus !== 'done' || deposit.withdrawStatus !== 'default') throw badField('depositId', 'withdrawn');
      const receiver = parseBitcoinAddress(input.receiver, deposit.network);
      if (receiver === null) throw badField('receiver', 'bitcoin');
      await refuseBlocked(tx, deposit);
      const payouts = await payoutsOf(services, tx, deposit.userAddress);
      if (!payouts.includes(receiver)) throw refundRefusal('PAYOUT');
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
          throw codeOf(error) === '23505' ? badField('depositId', 'withdrawn') : error;
        });
      if (!row) throw new Error('the insert returned no row');
      await tx
        .update(deposits)
        .set({ withdrawStatus: 'requested', version: sql`${deposits.version} + 1`, updatedAt: now })
        .where(eq(deposits.id, deposit.id));
      note({ entity: 'withdrawal', id: row.id, after: withdrawalState(services)(row) });
      return presentWithdrawal(context, tx, row);
    }),
  ),

  propose: guardedApi.withdrawals.propose.handler(async ({ input, context }) => {
    const counted = await firstNonceOf(context, input.id);
    return writeOnce(context, input, async (tx, note) => {
      const signing = await lockToSign(context, tx, input, counted);
      const { row } = signing;
      const proposal = await proposeWithdrawal(context, tx, signing);
      if (!proposal || proposal.hash === row.statement) return unmodified(proposal);
      await keepStatement(tx, signing, proposal.hash);
      const before = withdrawalState(context.services)(row);
      note({ entity: 'withdrawal', id: row.id, before, after: { ...before, statement: proposal.hash } });
      return proposal;
    });
  }),

  signRefund: guardedApi.withdrawals.signRefund.handler(async ({ input, context }) => {
    const counted = await firstNonceOf(context, input.id);
    return writeOnce(context, { ...input, signed: null }, async (tx, note) => {
      const signing = await lockToSign(context, tx, input, counted);
      const { statement, missing, isNew } = await signWithdrawal(context, tx, signing, input.signed ?? null);
      if (isNew && missing === 0 && input.onlySigns) throw refundRefusal('CHANGED', { id: input.id });
      const row = await keepStatement(tx, signing, statement);
      const shown = await presentWithdrawal(context, tx, row);
      if (!isNew) return unmodified(shown);
      const before = withdrawalState(context.services)(signing.row);
      note({ entity: 'withdrawal', id: row.id, action: 'sign', before, after: { ...before, statement, missing } });
      return shown;
    });
  }),

  cancel: guardedApi.withdrawals.cancel.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      const record = withdrawalState(context.services);
      const before = await lockRow(tx, table, input, record);
      // A request may be on its way, so only the chain can tell.
      if (before.status !== 'todo' || before.requestHash !== null) throw appError('CONFLICT', { current: record(before) });
      if (!(await mayCancel(context, tx, before))) {
        const condition = { cancelAskedBy: requirePerson(context).id, cancelAskedAt: new Date(context.services.now()) };
        const row = await update(tx, context, before, condition);
        note({ entity: 'withdrawal', id: row.id, action: 'askCancel', before: record(before), after: record(row) });
        return presentWithdrawal(context, tx, row);
      }
      const after = await update(tx, context, before, { status: 'canceled' });
      await tx
        .update(deposits)
        .set({ withdrawStatus: 'default', version: sql`${deposits.version} + 1`, updatedAt: new Date(context.services.now()) })
        .where(eq(deposits.id, after.depositId));
      note({ entity: 'withdrawal', id: after.id, before: record(before), after: record(after) });
      return presentWithdrawal(context, tx, after);
    }),
  ),

  offerAgain: guardedApi.withdrawals.offerAgain.handler(async ({ input, context }) => {
    const { services } = context;
    const evm = evmOf(context);
    const [seen] = await context.db.select().from(table).where(eq(table.id, input.id));
    if (!seen) throw appError('NOT_FOUND');
    const isThere = await isOnChain({ services, chain: bridgeOf(context), settled: evm.mintDepth }, seen).catch(unavailable);
    return writeOnce(context, input, async (tx, note) => {
      await refuseFrozen(tx);
      const record = withdrawalState(services);
      const before = await lockRow(tx, table, input, record);
      if (before.status !== 'gone' || isThere) throw appError('CONFLICT', { current: record(before) });
      // bridge_refunds keeps the nonce, so that a returning request is assigned to this withdrawal.
      const after = await update(tx, context, before, { status: 'todo', nonce: null, requestHash: null });
      note({ entity: 'withdrawal', id: after.id, before: record(before), after: record(after) });
      return presentWithdrawal(context, tx, after);
    });
  }),

  prepareRequest: guardedApi.withdrawals.prepareRequest.handler(({ input, context }) =>
    prepare(context, input, 'request', ({ status, requestHash }) => status === 'todo' && requestHash === null),
  ),

  requestRefund: guardedApi.withdrawals.requestRefund.handler(({ input, context }) =>
    noteHash(context, input, 'request', ({ status }) => status === 'todo'),
  ),

  prepareConfirm: guardedApi.withdrawals.prepareConfirm.handler(({ input, context }) =>
    prepare(context, input, 'confirm', (row) => {
      const { coolsUntil } = withdrawalState(context.services)(row);
      return row.status === 'doing' && coolsUntil !== null && Date.parse(coolsUntil) <= context.services.now();
    }),
  ),

  confirmRefund: guardedApi.withdrawals.confirmRefund.handler(({ input, context }) =>
    noteHash(context, input, 'confirm', ({ status }) => status === 'doing'),
  ),
};

const filterOf = (toSign: SQL) =>
  createFilter({
    table,
    fields: withdrawalFilters,
    few: { of: ['address'], in: table },
    filterConditions: {
      address: searchCondition((text) => addressStarts(table.address, text)),
      status: table.status,
      cooled: (condition, { services }) => {
        const has = isCooled(new Date(services.now()));
        const hasNot = sql`(${has}) is not true`; // null for one that never cooled
        return (
          or(...chosenValues(condition, ['true', 'false']).map((cooled) => (cooled === 'true' ? has : hasNot))) ?? sql`false`
        );
      },
      toSign: (condition) => {
        const requestedValues = chosenValues(condition, ['true', 'false']);
        return requestedValues.length === 2 ? undefined : requestedValues[0] === 'true' ? toSign : sql`not (${toSign})`;
      },
      amount: table.amount,
      createdAt: table.createdAt,
      receiver: {
        of: table.receiver,
        where: (condition) => combineValues(condition, (receiver) => inArray(table.receiver, [receiver, receiver.toLowerCase()])),
      },
      hash: (condition) => hasHash(condition),
    },
  });

const filterFor = async (context: RequestContext) => filterOf(await waitsForSigner(context));

const isFree = () =>
  and(
    eq(deposits.status, 'confirmed'),
    eq(deposits.mintStatus, 'done'),
    eq(deposits.withdrawStatus, 'default'),
    not(isBlockedRow),
  );

/** Case-insensitive, with or without 0x. */
const hasHash = (condition: Condition) => combineValues(condition, (hash) => isHash(hash.toLowerCase().replace(/^0x/, '')));

const isHash = (bare: string): SQL | undefined =>
  or(eq(table.txid, bare), eq(sql`lower(${table.requestHash})`, `0x${bare}`), eq(sql`lower(${table.confirmHash})`, `0x${bare}`));

async function update(tx: Tx, context: RequestContext, { id }: Withdrawal, change: Partial<Withdrawal>): Promise<Withdrawal> {
  const rows = await tx
    .update(table)
    .set({ ...change, ...nextVersion(context, table) })
    .where(eq(table.id, id))
    .returning();
  return requireRow(rows);
}

async function refuseFrozen(queries: Queries): Promise<void> {
  if (await isFrozen(queries)) throw appError('MONEY_FROZEN');
}

async function refuseBlocked(tx: Tx, deposit: typeof deposits.$inferSelect): Promise<void> {
  const refusal = blockedErrorData((await openBlock(tx, deposit))?.reason ?? null);
  if (refusal) throw appError('MONEY_REFUSED', refusal);
}

/** The bridge's counter at the first proposal, or now, read before locking. */
async function firstNonceOf(context: RequestContext, id: string): Promise<number> {
  const [row] = await context.db.select({ firstNonce: table.firstNonce }).from(table).where(eq(table.id, id));
  if (!row) throw appError('NOT_FOUND');
  return row.firstNonce ?? integerOf(await bridgeOf(context).count().catch(unavailable));
}

/** Locks the row. It must not be requested yet and be unchanged since the review. */
async function lockToSign(context: RequestContext, tx: Tx, item: ItemVersion, counted: number) {
  await refuseFrozen(tx);
  const record = withdrawalState(context.services);
  const row = await lockRow(tx, table, item, record);
  const deposit = await depositOf(tx, row);
  if (row.status !== 'todo' || row.requestHash !== null || !deposit) throw appError('CONFLICT', { current: record(row) });
  await refuseBlocked(tx, deposit);
  const authors = (await withdrawalAuthorsOf(tx, [row]))(row);
  return { evm: evmOf(context), row, deposit, authors, firstNonce: row.firstNonce ?? counted };
}

/** Not a new version: open forms show the same fields. */
async function keepStatement(
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
async function mayCancel(
  context: RequestContext,
  tx: Tx,
  { id, createdBy, cancelAskedBy: condition }: Withdrawal,
): Promise<boolean> {
  const actor = requirePerson(context);
  if (createdBy === actor.id) return true;
  if (condition === null || !(await currentHolders(tx, context, [condition], 'withdrawals.cancel')).has(condition)) return false;
  if (condition === actor.id || !actor.granted.has('withdrawals.signRefund')) throw refundRefusal('CANCEL_ASKED', { id });
  await requireEligible(context, tx, { signers: [condition], coSigners: [] });
  return true;
}

function evmOf({ services }: RequestContext): EvmConfig {
  const { evm } = services.config;
  if (!evm) throw appError('UNAVAILABLE');
  return evm;
}

function bridgeOf(context: RequestContext): BridgeChain {
  const { urls, chainId, contracts } = evmOf(context);
  return bridgeChain({ urls, chainId, address: contracts.custodyBridge, signal: context.services.stopping });
}

const unavailable = (error: unknown): never => {
  throw appError('UNAVAILABLE', undefined, error);
};

/** Records the intent if fully signed and unchanged. */
function prepare(
  context: RequestContext,
  item: ItemVersion,
  action: 'request' | 'confirm',
  isDue: (row: Withdrawal) => boolean,
): Promise<PreparedRefund> {
  const evm = evmOf(context);
  return writeOnce(context, item, async (tx, note) => {
    await refuseFrozen(tx);
    const record = withdrawalState(context.services);
    const row = await lockRow(tx, table, item, record);
    const deposit = await depositOf(tx, row);
    if (!isDue(row) || !deposit) throw appError('CONFLICT', { current: record(row) });
    await refuseBlocked(tx, deposit);
    if (action === 'request')
      await requireSigned(context, tx, { evm, row, authors: (await withdrawalAuthorsOf(tx, [row]))(row) });
    else await requireOwnRequest(context, tx, evm, row);
    const call = await writeIntent(tx, context, evm, row, action);
    note({ entity: 'withdrawal', id: row.id, before: record(row), after: { ...record(row), call } });
    return { ...(await presentWithdrawal(context, tx, row)), call };
  });
}

/** CONFLICT: the bridge shows another owner of the nonce. MONEY_REFUSED: the request is unsigned. */
async function requireOwnRequest(context: RequestContext, tx: Tx, evm: EvmConfig, row: Withdrawal): Promise<void> {
  const { services } = context;
  const { nonce } = row;
  const deployment = refundDeployment(evm);
  const [known] =
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
  if (nonce === null || known?.of !== row.id) throw appError('CONFLICT', { current: withdrawalState(services)(row) });
  const isSigned = !known.alarming && (await isApproved(services, tx, row, { ...deployment, nonce, at: known.seenAt.getTime() }));
  if (!isSigned) throw refundRefusal('UNCOVERED', { id: row.id });
}

const hashFields = { request: 'requestHash', confirm: 'confirmHash' } as const;
/** Retries while the transaction spreads to our nodes. */
const pausesMs = [0, 1_000, 3_000];

/** The chain may have reported it first. */
async function noteHash(
  context: RequestContext,
  input: { id: string; hash: string },
  action: 'request' | 'confirm',
  isAwaited: (row: Withdrawal) => boolean,
): Promise<WithdrawalRow> {
  const field = hashFields[action];
  const [seen] = await context.db.select().from(table).where(eq(table.id, input.id));
  const isKnown = seen !== undefined && isAwaited(seen) && (await isSent(context, seen, action, input.hash as Hex));
  return writeOnce(context, input, async (tx, note) => {
    const record = withdrawalState(context.services);
    const [before] = await tx.select().from(table).where(eq(table.id, input.id)).for('update');
    if (!before) throw appError('NOT_FOUND');
    if (!isAwaited(before) || before[field] === input.hash) return unmodified(await presentWithdrawal(context, tx, before));
    if (!isKnown) throw refundRefusal('UNKNOWN_TRANSACTION', { id: input.id });
    const after = await update(tx, context, before, { [field]: input.hash });
    note({ entity: 'withdrawal', id: input.id, before: record(before), after: record(after) });
    return presentWithdrawal(context, tx, after);
  });
}

/** Requires exactly the call that the wallet was asked for. */
async function isSent(context: RequestContext, row: Withdrawal, action: 'request' | 'confirm', hash: Hex): Promise<boolean> {
  if (action === 'confirm' && row.nonce === null) return false;
  const call = callOf(evmOf(context), row, action);
  const chain = bridgeOf(context);
  for (const pause of pausesMs) {
    await sleep(pause);
    const found = await chain.transaction(hash).catch(unavailable);
    if (found) return found.from === call.from && found.to === call.to && found.data === call.data;
  }
  return false;
}
