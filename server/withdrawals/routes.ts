import { and, eq, inArray, or, sql, type SQL } from 'drizzle-orm';
import type { PreparedRefund, WithdrawalRow } from '../../api/withdrawals/contract.ts';
import type { Condition } from '../../api/filter.ts';
import { withdrawalFilters } from '../../api/withdrawals/filters.ts';
import { isNamed } from '../deposits/shared/named.ts';
import { addressStarts } from '../platform/evm/address.ts';
import { parseBitcoinAddress } from '../platform/bitcoin/address.ts';
import type { EvmConfig } from '../platform/core/config.ts';
import { actorOf, type RequestContext } from '../platform/core/context.ts';
import type { Queries } from '../platform/db/db.ts';
import { codeOf } from '../platform/core/error-code.ts';
import { badField, failure } from '../platform/core/errors.ts';
import { chosenOf, eachOf, filtering, searched } from '../platform/records/filter.ts';
import { historyOf } from '../platform/records/history.ts';
import { newId } from '../platform/core/ids.ts';
import { on } from '../platform/http/router.ts';
import { inAskedOrder, listRows } from '../platform/records/list.ts';
import { lockRow, type Item } from '../platform/records/versions.ts';
import { unchanged, write } from '../platform/records/write.ts';
import { isFrozen } from '../custody/shared/freezes.ts';
import { deposits } from '../deposits/tables.ts';
import { bridgeChain } from '../platform/evm/bridge.ts';
import { hasCooled } from './shared/cooled.ts';
import { agreesWithDeposit, writeIntent } from './refund-intents.ts';
import { isStillThere } from './refund-state.ts';
import { bridgeRefunds, withdrawals as table } from './tables.ts';
import { presentWithdrawal, type Withdrawal } from './rows.ts';

// What stands on the chain is moved by server/withdrawals/bridge-watcher.ts alone: here withdrawals are recorded and given up, and what a
// wallet says it sent is noted.

export const withdrawals = {
  list: on.withdrawals.list.handler(async ({ input, context }) =>
    listRows(context, input, {
      table,
      id: table.id,
      sorts: { createdAt: table.createdAt, amount: table.amount },
      where: await filter.where(context, input.filter),
      present: presentWithdrawal(context.services),
    }),
  ),

  values: on.withdrawals.values.handler((call) => filter.values(call)),

  many: on.withdrawals.many.handler(async ({ input, context }) => {
    const rows = await context.db.select().from(table).where(inArray(table.id, input.ids));
    return inAskedOrder(input.ids, rows.map(presentWithdrawal(context.services)));
  }),

  history: on.withdrawals.history.handler(({ input, context }) => historyOf(context, 'withdrawal', input)),

  candidates: on.withdrawals.candidates.handler(async ({ input, context }) => {
    const asked = and(isFree(), isNamed(input?.q?.trim() ?? ''), input?.id ? eq(deposits.id, input.id) : undefined);
    const rows = await context.db.select().from(deposits).where(asked).orderBy(deposits.createdAt, deposits.id).limit(200);
    return rows.map(({ id, userAddress, amount, txid, vout }) => ({
      id,
      address: userAddress,
      amount: amount.toString(),
      txid,
      vout,
    }));
  }),

  add: on.withdrawals.add.handler(({ input, context }) =>
    write(context, input, async (tx, note) => {
      await refuseFrozen(tx);
      const [deposit] = await tx.select().from(deposits).where(eq(deposits.id, input.depositId)).for('update');
      if (!deposit) throw badField('depositId');
      if (deposit.mintStatus !== 'done' || deposit.withdrawStatus !== 'default') throw badField('depositId', 'withdrawn');
      const receiver = parseBitcoinAddress(input.receiver, deposit.network);
      if (receiver === null) throw badField('receiver', 'bitcoin');
      const now = new Date(context.services.now());
      const [row] = await tx
        .insert(table)
        .values({
          id: newId(),
          depositId: deposit.id,
          address: deposit.userAddress,
          amount: deposit.amount,
          receiver,
          txid: deposit.txid,
          createdBy: actorOf(context).id,
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
      const shown = presentWithdrawal(context.services)(row);
      note({ entity: 'withdrawal', id: row.id, after: shown });
      return shown;
    }),
  ),

  cancel: on.withdrawals.cancel.handler(({ input, context }) =>
    write(context, input, async (tx, note) => {
      const present = presentWithdrawal(context.services);
      const before = await lockRow(tx, table, input, present);
      // A request may be on its way: then only the chain can say that there is none.
      if (before.status !== 'todo' || before.requestHash !== null) throw failure('CONFLICT', { current: present(before) });
      const [after] = await tx
        .update(table)
        .set({ status: 'canceled', ...next(context) })
        .where(eq(table.id, input.id))
        .returning();
      if (!after) throw failure('NOT_FOUND');
      await tx
        .update(deposits)
        .set({ withdrawStatus: 'default', version: sql`${deposits.version} + 1`, updatedAt: new Date(context.services.now()) })
        .where(eq(deposits.id, after.depositId));
      note({ entity: 'withdrawal', id: after.id, before: present(before), after: present(after) });
      return present(after);
    }),
  ),

  offerAgain: on.withdrawals.offerAgain.handler(async ({ input, context }) => {
    const { services } = context;
    const { evm } = services.config;
    if (!evm) throw failure('UNAVAILABLE');
    const [seen] = await context.db.select().from(table).where(eq(table.id, input.id));
    if (!seen) throw failure('NOT_FOUND');
    const chain = bridgeChain({ urls: evm.urls, chainId: evm.chainId, address: evm.contracts.custodyBridge });
    const isThere = await isStillThere({ services, chain, settled: evm.mintDepth }, seen).catch((error: unknown) => {
      throw failure('UNAVAILABLE', undefined, error);
    });
    return write(context, input, async (tx, note) => {
      await refuseFrozen(tx);
      const present = presentWithdrawal(services);
      const before = await lockRow(tx, table, input, present);
      if (before.status !== 'gone' || isThere) throw failure('CONFLICT', { current: present(before) });
      // Its nonce stays in bridge_refunds: should the request come back, it is this withdrawal's again.
      const [after] = await tx
        .update(table)
        .set({ status: 'todo', nonce: null, requestHash: null, ...next(context) })
        .where(eq(table.id, input.id))
        .returning();
      if (!after) throw failure('NOT_FOUND');
      note({ entity: 'withdrawal', id: after.id, before: present(before), after: present(after) });
      return present(after);
    });
  }),

  prepareRequest: on.withdrawals.prepareRequest.handler(({ input, context }) =>
    prepare(context, input, 'request', ({ status, requestHash }) => status === 'todo' && requestHash === null),
  ),

  requestRefund: on.withdrawals.requestRefund.handler(({ input, context }) =>
    noteHash(context, input, 'requestHash', ({ status }) => status === 'todo'),
  ),

  prepareConfirm: on.withdrawals.prepareConfirm.handler(({ input, context }) =>
    prepare(context, input, 'confirm', (row) => {
      const { coolsUntil } = presentWithdrawal(context.services)(row);
      return row.status === 'doing' && coolsUntil !== null && Date.parse(coolsUntil) <= context.services.now();
    }),
  ),

  confirmRefund: on.withdrawals.confirmRefund.handler(({ input, context }) =>
    noteHash(context, input, 'confirmHash', ({ status }) => status === 'doing'),
  ),
};

const filter = filtering({
  table,
  fields: withdrawalFilters,
  few: { of: ['address'], in: table },
  meanings: {
    address: searched((text) => addressStarts(table.address, text)),
    status: table.status,
    cooled: (asked, { services }) => {
      const has = hasCooled(new Date(services.now()));
      const hasNot = sql`(${has}) is not true`; // one that never cooled has no such moment
      return or(...chosenOf(asked, ['true', 'false']).map((cooled) => (cooled === 'true' ? has : hasNot))) ?? sql`false`;
    },
    amount: table.amount,
    createdAt: table.createdAt,
    receiver: {
      of: table.receiver,
      where: (asked) => eachOf(asked, (receiver) => inArray(table.receiver, [receiver, receiver.toLowerCase()])),
    },
    hash: (asked) => hasHash(asked),
  },
});

const isFree = () =>
  and(eq(deposits.status, 'confirmed'), eq(deposits.mintStatus, 'done'), eq(deposits.withdrawStatus, 'default'));

/** With 0x or without, in any case. */
const hasHash = (asked: Condition) => eachOf(asked, (hash) => isHash(hash.toLowerCase().replace(/^0x/, '')));

const isHash = (bare: string): SQL | undefined =>
  or(eq(table.txid, bare), eq(sql`lower(${table.requestHash})`, `0x${bare}`), eq(sql`lower(${table.confirmHash})`, `0x${bare}`));

const next = (context: RequestContext) => ({
  version: sql`${table.version} + 1`,
  updatedAt: new Date(context.services.now()),
});

async function refuseFrozen(queries: Queries): Promise<void> {
  if (await isFrozen(queries)) throw failure('MONEY_FROZEN');
}

/** Writes the intent of what a wallet is about to be asked, when the row still is as it was seen and its turn has come. */
function prepare(
  context: RequestContext,
  item: Item,
  action: 'request' | 'confirm',
  isDue: (row: Withdrawal) => boolean,
): Promise<PreparedRefund> {
  const { evm } = context.services.config;
  if (!evm) throw failure('UNAVAILABLE');
  return write(context, item, async (tx, note) => {
    await refuseFrozen(tx);
    const present = presentWithdrawal(context.services);
    const row = await lockRow(tx, table, item, present);
    const isWhole =
      isDue(row) && (await agreesWithDeposit(tx, row)) && (action === 'request' || (await isItsNonce(tx, evm, row)));
    if (!isWhole) throw failure('CONFLICT', { current: present(row) });
    const call = await writeIntent(tx, context, evm, row, action);
    note({ entity: 'withdrawal', id: row.id, before: present(row), after: { ...present(row), call } });
    return { ...present(row), call };
  });
}

/** Whether the bridge was last seen to have this withdrawal under its nonce: a reorganisation may have given it to another. */
async function isItsNonce(queries: Queries, evm: EvmConfig, row: Withdrawal): Promise<boolean> {
  if (row.nonce === null) return false;
  const [known] = await queries
    .select({ of: bridgeRefunds.withdrawalId })
    .from(bridgeRefunds)
    .where(
      and(
        eq(bridgeRefunds.chainId, evm.chainId),
        eq(bridgeRefunds.bridge, evm.contracts.custodyBridge),
        eq(bridgeRefunds.nonce, row.nonce),
      ),
    );
  return known?.of === row.id;
}

/** Notes what a wallet says it sent. The chain may have been quicker: then it has said so itself. */
function noteHash(
  context: RequestContext,
  input: { id: string; hash: string },
  field: 'requestHash' | 'confirmHash',
  isAwaited: (row: Withdrawal) => boolean,
): Promise<WithdrawalRow> {
  return write(context, input, async (tx, note) => {
    const present = presentWithdrawal(context.services);
    const [before] = await tx.select().from(table).where(eq(table.id, input.id)).for('update');
    if (!before) throw failure('NOT_FOUND');
    if (!isAwaited(before) || before[field] === input.hash) return unchanged(present(before));
    const [after] = await tx
      .update(table)
      .set({ [field]: input.hash, ...next(context) })
      .where(eq(table.id, input.id))
      .returning();
    if (!after) throw failure('NOT_FOUND');
    note({ entity: 'withdrawal', id: input.id, before: present(before), after: present(after) });
    return present(after);
  });
}
