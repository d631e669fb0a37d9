import { beforeAll, expect, test } from 'vitest';
import { administratorFilters } from '../../api/access/filters.ts';
import { auditFilters } from '../../api/audit/filters.ts';
import { depositFilters } from '../../api/deposits/filters.ts';
import { feedbackFilters } from '../../api/feedback/filters.ts';
import type { FilterOf, Fields } from '../../api/filter.ts';
import { newsFilters } from '../../api/news/filters.ts';
import { noticeFilters } from '../../api/notices/filters.ts';
import { airdropFilters, pointsFilters } from '../../api/rewards/filters.ts';
import { drawFilters, vaultFilters, visitFilters, walletConnectionFilters } from '../../api/statistics/filters.ts';
import { withdrawalFilters } from '../../api/withdrawals/filters.ts';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { seedDatabase } from '../seed/seed.ts';
import { insertWithdrawal } from '../testing/refunds.ts';
import { signInAs, createTestApp, type TestApi } from '../testing/support.ts';

// Every offered filter value must find as many rows as its count says.

const sortByList: Partial<Record<string, string>> = { audit: 'time', draws: 'time', visits: 'at', walletConnections: 'lastAt' };
const filtersByList = {
  administrators: administratorFilters,
  audit: auditFilters,
  deposits: depositFilters,
  draws: drawFilters,
  airdrops: airdropFilters,
  feedback: feedbackFilters,
  news: newsFilters,
  notices: noticeFilters,
  points: pointsFilters,
  vaults: vaultFilters,
  visits: visitFilters,
  walletConnections: walletConnectionFilters,
  withdrawals: withdrawalFilters,
} satisfies Partial<Record<keyof TestApi, Fields>>;

/** Entered as a whole, never offered. */
const pastedFields: readonly string[] = ['withdrawals.hash'];

let api: TestApi;
beforeAll(async () => {
  const app = await createTestApp();
  const config = { ...app.config, demoNews: true };
  const services = {
    config,
    log: createLogger({ level: 'silent' }),
    database: app.database,
    now: Date.now,
    ...openExternalServices(config),
  };
  await seedDatabase(services);
  const user = `0x${'1'.repeat(40)}`;
  const refund = { txid: 'd'.repeat(64), address: user, receiver: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', amount: 5n };
  await insertWithdrawal(app.database.db, refund, new Date());
  ({ api } = await signInAs(app, 'all'));
});

interface ListApi {
  list: (input: {
    filter: FilterOf<Fields>;
    sort: string;
    direction: 'asc';
    cursor: null;
    limit: number;
  }) => Promise<{ count: { value: number; kind: string } | null }>;
  values: (input: {
    field: string;
    filter: object;
  }) => Promise<{ values: readonly { value: string | null; count: number | null }[] }>;
}

test.each(Object.entries(filtersByList))(
  'the filter of the list %s offers each value with its exact count',
  async (name, fields: Fields) => {
    const list = api[name as keyof typeof filtersByList] as unknown as ListApi;
    for (const [field, { kind }] of Object.entries(fields)) {
      if (!['value', 'choice', 'flag'].includes(kind) || pastedFields.includes(`${name}.${field}`)) continue;
      const { values } = await list.values({ field, filter: {} });
      expect(values.length, `${name}.${field} offers values`).toBeGreaterThan(0);
      for (const { value, count } of values.slice(0, 3)) {
        const filter = { [field]: value ?? '-' };
        const foundRows = await list.list({
          filter,
          sort: sortByList[name] ?? 'createdAt',
          direction: 'asc',
          cursor: null,
          limit: 1,
        });
        if (count !== null) expect(foundRows.count, `${name}.${field}=${value}`).toEqual({ value: count, kind: 'exact' });
      }
    }
  },
);
