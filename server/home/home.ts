import { count, eq, isNull } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { SQL } from 'drizzle-orm';
import { maxWaiting, waitingKinds, type WaitingKind } from '../../api/home/contract.ts';
import type { RoutePath } from '../../api/menu.ts';
import type { CommandId } from '../../api/names.ts';
import { cacheFor } from '../platform/core/cache-for.ts';
import { requireActor, memoizePerServer, type RequestContext } from '../platform/services/context.ts';
import { guardedApi } from '../platform/http/router.ts';
import { countWaitingStatements } from '../authority/shared/waiting.ts';
import { isNearTrigger, isFigureOutdated } from '../crsm/shared/near-trigger.ts';
import { crsms } from '../crsm/tables.ts';
import { moneyFreezes } from '../custody/tables.ts';
import { deposits } from '../deposits/tables.ts';
import { feedback } from '../feedback/tables.ts';
import { isCooled } from '../withdrawals/shared/cooled.ts';
import { awaitsSignatureOf } from '../withdrawals/shared/awaiting-signature.ts';
import { withdrawals } from '../withdrawals/tables.ts';

export const home = {
  waiting: guardedApi.home.waiting.handler(async ({ context }) => {
    const { granted } = requireActor(context);
    const visibleKinds = waitingKinds.filter((kind) => {
      const { screen, permission } = waitingSources[kind];
      return granted.has(screen) && (permission === undefined || granted.has(permission));
    });
    const waitingCounts = await Promise.all(
      visibleKinds.map(async (kind) => ({ kind, count: await countWaitingOf(context, kind) })),
    );
    return waitingCounts.filter((waiting) => waiting.count > 0);
  }),

  outages: guardedApi.home.outages.handler(async ({ context }) => {
    const canSeeStatistics = requireActor(context).granted.has('/statistics/dataView');
    return canSeeStatistics && (await hasStatistics(context.services)()) === null ? ['statistics'] : [];
  }),
};

const timeoutMs = 5_000;

/** Null: unreachable. Shared by everyone on Home. */
const hasStatistics = memoizePerServer(({ database: { statistics } }) =>
  cacheFor(timeoutMs, async () => (statistics.isSeparate ? statistics.pool.query('select 1') : true)),
);

type WaitingSource =
  | TableSource
  | { screen: RoutePath; permission?: undefined; countWaiting: (context: RequestContext) => Promise<number> };

interface TableSource {
  /** What a person must be allowed to do about it, besides opening the screen. */
  permission?: CommandId;
  /** Permission to open it is required. */
  screen: RoutePath;
  table: PgTable;
  where: (context: RequestContext) => SQL | undefined | Promise<SQL>;
}

const waitingSources: Readonly<Record<WaitingKind, WaitingSource>> = {
  freeze: { screen: '/selfCustody/dataPanel', table: moneyFreezes, where: () => isNull(moneyFreezes.resolvedAt) },
  failedMints: {
    screen: '/selfCustody/deposit',
    permission: 'deposits.retryMint',
    table: deposits,
    where: () => eq(deposits.mintStatus, 'failed'),
  },
  canceledMints: {
    screen: '/selfCustody/deposit',
    permission: 'deposits.closeFailed',
    table: deposits,
    where: () => eq(deposits.mintStatus, 'canceled'),
  },
  nearTrigger: {
    screen: '/CRSMTrove/CRSMList',
    permission: 'crsm.deposit',
    table: crsms,
    where: ({ services }) => isNearTrigger(services),
  },
  staleFigures: {
    screen: '/CRSMTrove/CRSMList',
    permission: 'crsm.updateData',
    table: crsms,
    where: ({ services }) => isFigureOutdated(services),
  },
  statements: { screen: '/selfCustody/authority', countWaiting: countWaitingStatements },
  deposits: {
    screen: '/selfCustody/deposit',
    permission: 'deposits.confirm',
    table: deposits,
    where: () => eq(deposits.status, 'created'),
  },
  refunds: {
    screen: '/selfCustody/withdraw',
    permission: 'withdrawals.signRefund',
    table: withdrawals,
    where: awaitsSignatureOf,
  },
  withdrawals: {
    screen: '/selfCustody/withdraw',
    permission: 'withdrawals.confirmRefund',
    table: withdrawals,
    where: ({ services }) => isCooled(new Date(services.now())),
  },
  feedback: { screen: '/feedback', permission: 'feedback.process', table: feedback, where: () => eq(feedback.processed, false) },
};

async function countWaitingOf(context: RequestContext, kind: WaitingKind): Promise<number> {
  const source = waitingSources[kind];
  if ('countWaiting' in source) return Math.min(await source.countWaiting(context), maxWaiting + 1);
  const { table, where } = source;
  const { db } = context;
  const limitedRows = db
    .select()
    .from(table)
    .where(await where(context))
    .limit(maxWaiting + 1)
    .as('some');
  const [countRow] = await db.select({ count: count() }).from(limitedRows);
  return countRow?.count ?? 0;
}
