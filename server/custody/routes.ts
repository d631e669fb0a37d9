import { and, asc, desc, eq, inArray, isNotNull, or, sql } from 'drizzle-orm';
import { readUnfreezeProgress } from '../authority/shared/lifting.ts';
import type { InstitutionRow, InstitutionTotals } from '../../api/custody/contract.ts';
import { buildDifferenceKey } from '../../api/custody/difference.ts';
import { weiPerToken } from '../../api/money.ts';
import { readAddresses, type InstitutionReading } from './shared/institution-figures.ts';
import { addressPrefixCondition } from '../platform/evm/address.ts';
import { requirePerson, memoizePerServer } from '../platform/services/context.ts';
import type { Queries } from '../platform/db/db.ts';
import { createAppError } from '../platform/core/errors.ts';
import { readHistory } from '../platform/records/history.ts';
import { guardedApi } from '../platform/http/router.ts';
import { createFilter, createSearchCondition } from '../platform/records/filter.ts';
import { institutionFilters } from '../../api/custody/filters.ts';
import { sortByRequestedIds, listRows } from '../platform/records/list.ts';
import { lockRow } from '../platform/records/versions.ts';
import { writeOnce } from '../platform/records/write.ts';
import { presentOpening, reconcile } from './reconciliation.ts';
import { crsms } from '../crsm/tables.ts';
import { institutions as table } from './tables.ts';
import { deposits } from '../deposits/tables.ts';
import { freezes, readOtherOpenFreezes } from './freezes.ts';
import { reserveRoutes } from './reserve.ts';
import { readOpenFreezes } from './shared/freezes.ts';

export const dataPanel = {
  list: guardedApi.dataPanel.list.handler(async ({ input, context }) => {
    const page = await listRows(context, input, {
      table,
      id: table.id,
      sorts: { createdAt: table.createdAt, name: table.name, address: table.id },
      where: await filter.where(context, input.filter),
      present: (row) => row,
    });
    const { readings } = await readAddresses(context.services, toIds(page.rows));
    return { ...page, rows: await presentInstitutions(context.db, page.rows, readings, context.services.now()) };
  }),

  many: guardedApi.dataPanel.many.handler(async ({ input, context }) => {
    const rows = await context.db
      .select()
      .from(table)
      .where(and(inArray(table.id, input.addresses), hasDeposits));
    const { readings } = await readAddresses(context.services, toIds(rows));
    return sortByRequestedIds(input.addresses, await presentInstitutions(context.db, rows, readings, context.services.now()));
  }),

  get: guardedApi.dataPanel.get.handler(async ({ input: { address }, context }) => {
    const { db, services } = context;
    const rows = await db
      .select()
      .from(table)
      .where(and(eq(table.id, address), hasDeposits));
    const { readings } = await readAddresses(services, toIds(rows));
    const [row] = await presentInstitutions(db, rows, readings, services.now());
    if (!row) throw createAppError('NOT_FOUND');
    const depositSums = (await readSums(db, [address])).get(address) ?? emptySums;
    const newestDeposits = await db
      .select()
      .from(deposits)
      .where(eq(deposits.userAddress, address))
      .orderBy(desc(deposits.createdAt), desc(deposits.id))
      .limit(20);
    const chainReading = readings.get(address);
    return {
      row,
      minted: depositSums.minted.toString(),
      redeemed: depositSums.redeemed.toString(),
      troves:
        chainReading?.troves.map(({ id, collateral, debt, interest, icr, liquidationPrice }) => ({
          id: id.toString(),
          collateral: collateral.toString(),
          debt: debt.toString(),
          interest: interest.toString(),
          icr: icr.toString(),
          liquidationPrice: liquidationPrice.toString(),
        })) ?? null,
      price: chainReading?.price.toString() ?? null,
      minimumRatio: chainReading?.minimumRatio.toString() ?? null,
      deposits: newestDeposits.map((deposit) => ({
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
    const allSums = [...(await readSums(db, null)).values()];
    const sumBy = (selectAmount: (sums: DepositSums) => bigint) =>
      allSums.reduce((sum, entry) => sum + selectAmount(entry), 0n).toString();
    const readAt = new Date(services.now()).toISOString();
    const cachedTotals = lastChainTotals(services);
    const isTooMany = rows.length > maxInstitutions;
    const { state, readings, whole } = await readAddresses(services, isTooMany ? [] : toIds(rows));
    // A partial sum would look like the total.
    if (whole && !isTooMany && readings.size === rows.length) cachedTotals.chain = chainTotals([...readings.values()], whole);
    return {
      accounts: allSums.length,
      deposited: sumBy(({ deposited }) => deposited),
      redeemed: sumBy(({ redeemed }) => redeemed),
      pendingBtc: sumBy(({ pending }) => pending),
      bridged: sumBy(({ minted }) => minted),
      readAt,
      chainState: isTooMany ? 'unreachable' : state,
      chain: cachedTotals.chain,
    };
  }),

  reconciliation: guardedApi.dataPanel.reconciliation.handler(({ context }) => reconcile(context.services)),

  freeze: guardedApi.dataPanel.freeze.handler(async ({ context }) => {
    const { services, db } = context;
    const [openFreeze] = await readOpenFreezes(db);
    if (!openFreeze) return { open: null };
    const liftingRequest = { freeze: openFreeze.id, difference: buildDifferenceKey(openFreeze) };
    const lifting = await readUnfreezeProgress(services, db, liftingRequest, requirePerson(context).id);
    return { open: { ...presentOpening(openFreeze), lifting, others: await readOtherOpenFreezes(services, db, openFreeze.id) } };
  }),

  history: guardedApi.dataPanel.history.handler(({ input, context }) => readHistory(context, 'institution', input)),

  rename: guardedApi.dataPanel.rename.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const { address: id, version, name } = input;
      const previousRow = await lockRow(tx, table, { id, version }, presentForAudit);
      const [updatedRow] = await tx
        .update(table)
        .set({ name, version: version + 1, updatedAt: new Date(context.services.now()) })
        .where(eq(table.id, id))
        .returning();
      if (!updatedRow) throw createAppError('NOT_FOUND');
      recordAudit({ entity: 'institution', id, before: presentForAudit(previousRow), after: presentForAudit(updatedRow) });
      const [row] = await presentInstitutions(tx, [updatedRow], new Map(), context.services.now());
      if (!row) throw createAppError('NOT_FOUND');
      return row;
    }),
  ),

  ...freezes,
  ...reserveRoutes,
};

/** Above this, totals are not read from the chain. */
const maxInstitutions = 2_000;

const lastChainTotals = memoizePerServer((): { chain: InstitutionTotals['chain'] } => ({ chain: null }));

type Institution = typeof table.$inferSelect;

const toIds = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
const presentForAudit = ({ id, name, version }: Institution) => ({ id, address: id, name, version });

/** An address whose only deposit was corrected does not count as an institution. */
const hasDeposits = sql`exists (select 1 from ${deposits} where ${deposits.userAddress} = ${table.id})`;

const filter = createFilter({
  table,
  fields: institutionFilters,
  filterConditions: {
    q: createSearchCondition((text) =>
      or(addressPrefixCondition(table.id, text), sql`strpos(folded(${table.name}), folded(${text}::text)) > 0`),
    ),
    createdAt: table.createdAt,
  },
  only: hasDeposits,
});

function chainTotals(
  readings: readonly InstitutionReading[],
  totalReading: { block: bigint; at: Date; debt: bigint; inPool: bigint },
) {
  const sumBy = (selectAmount: (reading: InstitutionReading) => bigint) =>
    readings.reduce((sum, entry) => sum + selectAmount(entry), 0n);
  const [debt, yuInPool] = [sumBy(totalDebtOf), sumBy((reading) => reading.yuInPool)];
  return {
    block: totalReading.block.toString(),
    at: totalReading.at.toISOString(),
    collateral: sumBy(totalCollateralOf).toString(),
    debt: debt.toString(),
    yuInPool: yuInPool.toString(),
    yuInWallet: sumBy((reading) => reading.yuInWallet).toString(),
    allDebt: totalReading.debt.toString(),
    allInPool: totalReading.inPool.toString(),
    debtShare: ratioOf(debt, totalReading.debt),
    poolShare: ratioOf(yuInPool, totalReading.inPool),
  };
}

const ratioOf = (partAmount: bigint, totalAmount: bigint) =>
  totalAmount === 0n ? null : ((partAmount * weiPerToken) / totalAmount).toString();
const totalDebtOf = ({ troves }: InstitutionReading) => troves.reduce((sum, { debt }) => sum + debt, 0n);
const totalCollateralOf = ({ troves }: InstitutionReading) => troves.reduce((sum, { collateral }) => sum + collateral, 0n);

async function presentInstitutions(
  queries: Queries,
  rows: readonly Institution[],
  readings: ReadonlyMap<string, InstitutionReading>,
  now: number,
): Promise<InstitutionRow[]> {
  const sumsById = await readSums(queries, toIds(rows));
  const crsmByOwner = await readCrsmByOwner(queries, toIds(rows));
  return rows.map(({ id, version, name, createdAt }) => {
    const { count, deposited, redeemed, pending, custodians, multisigs } = sumsById.get(id) ?? emptySums;
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
      chain: presentChainFigures(readings.get(id)),
      crsm: crsmByOwner.get(id) ?? null,
    };
  });
}

/** Nearest to its trigger if several. The index may lag by some blocks. */
async function readCrsmByOwner(queries: Queries, addresses: readonly string[]): Promise<Map<string, InstitutionRow['crsm']>> {
  if (addresses.length === 0) return new Map();
  const crsmRows = await queries
    .selectDistinctOn([crsms.owner])
    .from(crsms)
    .where(and(inArray(crsms.owner, [...addresses]), eq(crsms.isTrovesOwner, true), isNotNull(crsms.block)))
    .orderBy(crsms.owner, asc(crsms.distance), crsms.id);
  return new Map(
    crsmRows.map(({ id, owner, TRGCR, TARCR, MAX_TARCR }) => [
      owner,
      { address: id, trigger: TRGCR.toString(), target: TARCR.toString(), maxTarget: MAX_TARCR.toString() },
    ]),
  );
}

function presentChainFigures(reading: InstitutionReading | undefined): InstitutionRow['chain'] {
  if (!reading) return null;
  const { block, at, troves, ybtcInWallet, yuInPool, yuInWallet, claimableYbtc, claimableYu } = reading;
  return {
    block: block.toString(),
    at: at.toISOString(),
    troves: troves.length,
    collateral: totalCollateralOf(reading).toString(),
    debt: totalDebtOf(reading).toString(),
    ybtcInWallet: ybtcInWallet.toString(),
    yuInPool: yuInPool.toString(),
    yuInWallet: yuInWallet.toString(),
    claimableYbtc: claimableYbtc.toString(),
    claimableYu: claimableYu.toString(),
  };
}

/** Satoshi; `minted`: wei of final mints. */
interface DepositSums {
  count: number;
  deposited: bigint;
  redeemed: bigint;
  pending: bigint;
  minted: bigint;
  custodians: string[];
  multisigs: string[];
}
const emptySums: DepositSums = { count: 0, deposited: 0n, redeemed: 0n, pending: 0n, minted: 0n, custodians: [], multisigs: [] };

/** Null: all addresses. */
async function readSums(queries: Queries, addresses: readonly string[] | null): Promise<Map<string, DepositSums>> {
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
