import { and, asc, desc, eq, inArray, isNotNull, or, sql } from 'drizzle-orm';
import { readLifting } from '../authority/shared/lifting.ts';
import type { InstitutionRow, InstitutionTotals } from '../../api/custody/contract.ts';
import { differenceOf } from '../../api/custody/difference.ts';
import { weiPerToken } from '../../api/money.ts';
import { readAddresses, type InstitutionReading } from './shared/institution-figures.ts';
import { addressStarts } from '../platform/evm/address.ts';
import { requirePerson, memoizePerServer } from '../platform/services/context.ts';
import type { Queries } from '../platform/db/db.ts';
import { appError } from '../platform/core/errors.ts';
import { historyOf } from '../platform/records/history.ts';
import { guardedApi } from '../platform/http/router.ts';
import { createFilter, searchCondition } from '../platform/records/filter.ts';
import { institutionFilters } from '../../api/custody/filters.ts';
import { inRequestedOrder, listRows } from '../platform/records/list.ts';
import { lockRow } from '../platform/records/versions.ts';
import { writeOnce } from '../platform/records/write.ts';
import { presentOpening, reconcile } from './reconciliation.ts';
import { crsms } from '../crsm/tables.ts';
import { institutions as table } from './tables.ts';
import { deposits } from '../deposits/tables.ts';
import { freezes, otherOpenFreezes } from './freezes.ts';
import { reserveRoutes } from './reserve.ts';
import { openFreezes } from './shared/freezes.ts';

export const dataPanel = {
  list: guardedApi.dataPanel.list.handler(async ({ input, context }) => {
    const page = await listRows(context, input, {
      table,
      id: table.id,
      sorts: { createdAt: table.createdAt, name: table.name, address: table.id },
      where: await filter.where(context, input.filter),
      present: (row) => row,
    });
    const { readings } = await readAddresses(context.services, idsOf(page.rows));
    return { ...page, rows: await present(context.db, page.rows, readings, context.services.now()) };
  }),

  many: guardedApi.dataPanel.many.handler(async ({ input, context }) => {
    const rows = await context.db
      .select()
      .from(table)
      .where(and(inArray(table.id, input.addresses), hasDeposits));
    const { readings } = await readAddresses(context.services, idsOf(rows));
    return inRequestedOrder(input.addresses, await present(context.db, rows, readings, context.services.now()));
  }),

  get: guardedApi.dataPanel.get.handler(async ({ input: { address }, context }) => {
    const { db, services } = context;
    const rows = await db
      .select()
      .from(table)
      .where(and(eq(table.id, address), hasDeposits));
    const { readings } = await readAddresses(services, idsOf(rows));
    const [row] = await present(db, rows, readings, services.now());
    if (!row) throw appError('NOT_FOUND');
    const sums = (await sumsOf(db, [address])).get(address) ?? noSums;
    const newest = await db
      .select()
      .from(deposits)
      .where(eq(deposits.userAddress, address))
      .orderBy(desc(deposits.createdAt), desc(deposits.id))
      .limit(20);
    const reading = readings.get(address);
    return {
      row,
      minted: sums.minted.toString(),
      redeemed: sums.redeemed.toString(),
      troves:
        reading?.troves.map(({ id, collateral, debt, interest, icr, liquidationPrice }) => ({
          id: id.toString(),
          collateral: collateral.toString(),
          debt: debt.toString(),
          interest: interest.toString(),
          icr: icr.toString(),
          liquidationPrice: liquidationPrice.toString(),
        })) ?? null,
      price: reading?.price.toString() ?? null,
      minimumRatio: reading?.minimumRatio.toString() ?? null,
      deposits: newest.map((deposit) => ({
        id: deposit.id,
        amount: deposit.amount.toString(),
        address: deposit.coboAddress,
        txid: deposit.txid,
        type: deposit.type,
        status: deposit.status,
        mintStatus: deposit.mintStatus,
        createdAt: deposit.createdAt.toISOString(),
      })),
    };
  }),

  totals: guardedApi.dataPanel.totals.handler(async ({ context }) => {
    const { db, services } = context;
    const rows = await db
      .select({ id: table.id })
      .from(table)
      .where(hasDeposits)
      .limit(maxInstitutions + 1);
    const sums = [...(await sumsOf(db, null)).values()];
    const sumOf = (pick: (sums: Sums) => bigint) => sums.reduce((sum, each) => sum + pick(each), 0n).toString();
    const readAt = new Date(services.now()).toISOString();
    const cachedTotals = lastTotals(services);
    const isTooMany = rows.length > maxInstitutions;
    const { state, readings, whole } = await readAddresses(services, isTooMany ? [] : idsOf(rows));
    // A partial sum would look like the total.
    if (whole && !isTooMany && readings.size === rows.length) cachedTotals.chain = chainTotals([...readings.values()], whole);
    return {
      accounts: sums.length,
      deposited: sumOf(({ deposited }) => deposited),
      redeemed: sumOf(({ redeemed }) => redeemed),
      pendingBtc: sumOf(({ pending }) => pending),
      bridged: sumOf(({ minted }) => minted),
      readAt,
      chainState: isTooMany ? 'unreachable' : state,
      chain: cachedTotals.chain,
    };
  }),

  reconciliation: guardedApi.dataPanel.reconciliation.handler(({ context }) => reconcile(context.services)),

  freeze: guardedApi.dataPanel.freeze.handler(async ({ context }) => {
    const { services, db } = context;
    const [open] = await openFreezes(db);
    if (!open) return { open: null };
    const liftingRequest = { freeze: open.id, difference: differenceOf(open) };
    const lifting = await readLifting(services, db, liftingRequest, requirePerson(context).id);
    return { open: { ...presentOpening(open), lifting, others: await otherOpenFreezes(services, db, open.id) } };
  }),

  history: guardedApi.dataPanel.history.handler(({ input, context }) => historyOf(context, 'institution', input)),

  rename: guardedApi.dataPanel.rename.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      const { address: id, version, name } = input;
      const before = await lockRow(tx, table, { id, version }, recorded);
      const [after] = await tx
        .update(table)
        .set({ name, version: version + 1, updatedAt: new Date(context.services.now()) })
        .where(eq(table.id, id))
        .returning();
      if (!after) throw appError('NOT_FOUND');
      note({ entity: 'institution', id, before: recorded(before), after: recorded(after) });
      const [row] = await present(tx, [after], new Map(), context.services.now());
      if (!row) throw appError('NOT_FOUND');
      return row;
    }),
  ),

  ...freezes,
  ...reserveRoutes,
};

/** Above this, totals are not read from the chain. */
const maxInstitutions = 2_000;

const lastTotals = memoizePerServer((): { chain: InstitutionTotals['chain'] } => ({ chain: null }));

type Institution = typeof table.$inferSelect;

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
const recorded = ({ id, name, version }: Institution) => ({ id, address: id, name, version });

/** An address whose only deposit was corrected does not count as an institution. */
const hasDeposits = sql`exists (select 1 from ${deposits} where ${deposits.userAddress} = ${table.id})`;

const filter = createFilter({
  table,
  fields: institutionFilters,
  filterConditions: {
    q: searchCondition((text) =>
      or(addressStarts(table.id, text), sql`strpos(folded(${table.name}), folded(${text}::text)) > 0`),
    ),
    createdAt: table.createdAt,
  },
  only: hasDeposits,
});

function chainTotals(readings: readonly InstitutionReading[], whole: { block: bigint; at: Date; debt: bigint; inPool: bigint }) {
  const sumOf = (pick: (reading: InstitutionReading) => bigint) => readings.reduce((sum, each) => sum + pick(each), 0n);
  const [debt, yuInPool] = [sumOf(debtOf), sumOf((reading) => reading.yuInPool)];
  return {
    block: whole.block.toString(),
    at: whole.at.toISOString(),
    collateral: sumOf(collateralOf).toString(),
    debt: debt.toString(),
    yuInPool: yuInPool.toString(),
    yuInWallet: sumOf((reading) => reading.yuInWallet).toString(),
    allDebt: whole.debt.toString(),
    allInPool: whole.inPool.toString(),
    debtShare: share(debt, whole.debt),
    poolShare: share(yuInPool, whole.inPool),
  };
}

const share = (part: bigint, whole: bigint) => (whole === 0n ? null : ((part * weiPerToken) / whole).toString());
const debtOf = ({ troves }: InstitutionReading) => troves.reduce((sum, { debt }) => sum + debt, 0n);
const collateralOf = ({ troves }: InstitutionReading) => troves.reduce((sum, { collateral }) => sum + collateral, 0n);

async function present(
  queries: Queries,
  rows: readonly Institution[],
  readings: ReadonlyMap<string, InstitutionReading>,
  now: number,
): Promise<InstitutionRow[]> {
  const sums = await sumsOf(queries, idsOf(rows));
  const keepers = await keepersOf(queries, idsOf(rows));
  return rows.map(({ id, version, name, createdAt }) => {
    const { count, deposited, redeemed, pending, custodians, multisigs } = sums.get(id) ?? noSums;
    return {
      id,
      version,
      address: id,
      name,
      createdAt: createdAt.toISOString(),
      deposits: count,
      custodians: custodians.slice(0, 3),
      custodianCount: custodians.length,
      multisigs: multisigs.slice(0, 3),
      multisigCount: multisigs.length,
      btc: (deposited - redeemed).toString(),
      pendingBtc: pending.toString(),
      readAt: new Date(now).toISOString(),
      chain: presentReading(readings.get(id)),
      crsm: keepers.get(id) ?? null,
    };
  });
}

/** Nearest to its trigger if several. The index may lag by some blocks. */
async function keepersOf(queries: Queries, addresses: readonly string[]): Promise<Map<string, InstitutionRow['crsm']>> {
  if (addresses.length === 0) return new Map();
  const found = await queries
    .selectDistinctOn([crsms.owner])
    .from(crsms)
    .where(and(inArray(crsms.owner, [...addresses]), eq(crsms.isTrovesOwner, true), isNotNull(crsms.block)))
    .orderBy(crsms.owner, asc(crsms.distance), crsms.id);
  return new Map(
    found.map(({ id, owner, TRGCR, TARCR, MAX_TARCR }) => [
      owner,
      { address: id, trigger: TRGCR.toString(), target: TARCR.toString(), maxTarget: MAX_TARCR.toString() },
    ]),
  );
}

function presentReading(reading: InstitutionReading | undefined): InstitutionRow['chain'] {
  if (!reading) return null;
  const { block, at, troves, ybtcInWallet, yuInPool, yuInWallet, claimableYbtc, claimableYu } = reading;
  return {
    block: block.toString(),
    at: at.toISOString(),
    troves: troves.length,
    collateral: collateralOf(reading).toString(),
    debt: debtOf(reading).toString(),
    ybtcInWallet: ybtcInWallet.toString(),
    yuInPool: yuInPool.toString(),
    yuInWallet: yuInWallet.toString(),
    claimableYbtc: claimableYbtc.toString(),
    claimableYu: claimableYu.toString(),
  };
}

/** Satoshi; `minted`: wei of final mints. */
interface Sums {
  count: number;
  deposited: bigint;
  redeemed: bigint;
  pending: bigint;
  minted: bigint;
  custodians: string[];
  multisigs: string[];
}
const noSums: Sums = { count: 0, deposited: 0n, redeemed: 0n, pending: 0n, minted: 0n, custodians: [], multisigs: [] };

/** Null: all addresses. */
async function sumsOf(queries: Queries, addresses: readonly string[] | null): Promise<Map<string, Sums>> {
  const liftingRequest = addresses === null ? sql`true` : sql`d.user_address = any(${sql.param([...addresses])}::text[])`;
  const { rows } = await queries.execute<{
    address: string;
    count: number;
    deposited: string;
    redeemed: string;
    pending: string;
    minted: string;
    custodians: string[] | null;
    multisigs: string[] | null;
  }>(sql`
    select d.user_address as address, count(*)::int as count,
      coalesce(sum(d.amount) filter (where d.mint_status = 'done'), 0)::text as deposited,
      coalesce(sum(d.amount) filter (where d.mint_status not in ('done', 'closed')), 0)::text as pending,
      coalesce(sum(w.amount), 0)::text as redeemed,
      coalesce(sum(m.amount), 0)::text as minted,
      array_agg(distinct d.cobo_address) filter (where d.type = 'cobo') as custodians,
      array_agg(distinct d.cobo_address) filter (where d.type = 'multisig') as multisigs
    from deposits d
      left join withdrawals w on w.deposit_id = d.id and w.status in ('withdrawable', 'done')
      left join mints m on m.deposit_id = d.id and m.state = 'final'
    where ${liftingRequest} group by d.user_address`);
  return new Map(
    rows.map(({ address, count, custodians, multisigs, ...sums }) => [
      address,
      {
        count,
        deposited: BigInt(sums.deposited),
        redeemed: BigInt(sums.redeemed),
        pending: BigInt(sums.pending),
        minted: BigInt(sums.minted),
        custodians: custodians ?? [],
        multisigs: multisigs ?? [],
      },
    ]),
  );
}
