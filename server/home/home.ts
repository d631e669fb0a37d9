import { count, eq, isNull } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { SQL } from 'drizzle-orm';
import { maxWaiting, waitingKinds, type WaitingKind } from '../../api/home/contract.ts';
import type { RoutePath } from '../../api/menu.ts';
import { cacheFor } from '../platform/core/cache-for.ts';
import { actorOf, memoizePerServer, type RequestContext } from '../platform/services/context.ts';
import { guardedApi } from '../platform/http/router.ts';
import { waitingStatements } from '../authority/shared/waiting.ts';
import { isNearTrigger, isFigureStale } from '../crsm/shared/near-trigger.ts';
import { crsms } from '../crsm/tables.ts';
import { moneyFreezes } from '../custody/tables.ts';
import { deposits } from '../deposits/tables.ts';
import { feedback } from '../feedback/tables.ts';
import { isCooled } from '../withdrawals/shared/cooled.ts';
import { waitsForSigner } from '../withdrawals/shared/awaiting-signature.ts';
import { withdrawals } from '../withdrawals/tables.ts';

export const home = {
  waiting: guardedApi.home.waiting.handler(async ({ context }) => {
    const { granted } = actorOf(context);
    const visibleKinds = waitingKinds.filter((kind) => granted.has(sources[kind].screen));
    const counted = await Promise.all(visibleKinds.map(async (kind) => ({ kind, count: await countOf(context, kind) })));
    return counted.filter((waiting) => waiting.count > 0);
  }),

  outages: guardedApi.home.outages.handler(async ({ context }) => {
    const isMine = actorOf(context).granted.has('/statistics/dataView');
    return isMine && (await hasStatistics(context.services)()) === null ? ['statistics'] : [];
  }),
};

const timeoutMs = 5_000;

/** Null: unreachable. Shared by everyone on Home. */
const hasStatistics = memoizePerServer(({ database: { statistics } }) =>
  cacheFor(timeoutMs, async () => (statistics.isSeparate ? statistics.pool.query('select 1') : true)),
);

type Source = Table | { screen: RoutePath; countWaiting: (context: RequestContext) => Promise<number> };

interface Table {
  /** Permission to open it is required. */
  screen: RoutePath;
  table: PgTable;
  where: (context: RequestContext) => SQL | undefined | Promise<SQL>;
}

const sources: Readonly<Record<WaitingKind, Source>> = {
  freeze: { screen: '/selfCustody/dataPanel', table: moneyFreezes, where: () => isNull(moneyFreezes.resolvedAt) },
  failedMints: { screen: '/selfCustody/deposit', table: deposits, where: () => eq(deposits.mintStatus, 'failed') },
  canceledMints: { screen: '/selfCustody/deposit', table: deposits, where: () => eq(deposits.mintStatus, 'canceled') },
  nearTrigger: { screen: '/CRSMTrove/CRSMList', table: crsms, where: ({ services }) => isNearTrigger(services) },
  staleFigures: { screen: '/CRSMTrove/CRSMList', table: crsms, where: ({ services }) => isFigureStale(services) },
  statements: { screen: '/selfCustody/authority', countWaiting: waitingStatements },
  deposits: { screen: '/selfCustody/deposit', table: deposits, where: () => eq(deposits.status, 'created') },
  refunds: { screen: '/selfCustody/withdraw', table: withdrawals, where: waitsForSigner },
  withdrawals: {
    screen: '/selfCustody/withdraw',
    table: withdrawals,
    where: ({ services }) => isCooled(new Date(services.now())),
  },
  feedback: { screen: '/feedback', table: feedback, where: () => eq(feedback.processed, false) },
};

async function countOf(context: RequestContext, kind: WaitingKind): Promise<number> {
  const source = sources[kind];
  if ('countWaiting' in source) return Math.min(await source.countWaiting(context), maxWaiting + 1);
  const { table, where } = source;
  const { db } = context;
  const some = db
    .select()
    .from(table)
    .where(await where(context))
    .limit(maxWaiting + 1)
    .as('some');
  const [found] = await db.select({ count: count() }).from(some);
  return found?.count ?? 0;
}
