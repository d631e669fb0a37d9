import * as z from 'zod/mini';
import type { Fields, FilterOf } from '../filter.ts';
import {
  drawFilters,
  positionStatFilters,
  positionStatuses,
  teamFilters,
  vaultFilters,
  visitFilters,
  walletConnectionFilters,
} from './filters.ts';
import { exportInput, exportOutput, filterInput, idSchema, timeSchema, route, textSchema } from '../base.ts';
import { evmAddressSchema } from '../evm.ts';
import type { Permission } from '../names.ts';
import type { Name } from '../naming.ts';
import { maxBerries } from '../rewards/points.ts';
import type { MenuPath } from '../menu.ts';
import { normalizeTime } from '../time-text.ts';
import { timeZoneSchema } from '../time-zone.ts';
import { integerSchema, countSchema } from '../integer-fields.ts';
import { listRoutes } from '../list.ts';

// Bitcoin is satoshi, YBTC and YU are wei, ratios 1e18 for 100 %, as decimal strings.

const amountText = z.string();

export const seriesUnits = ['hour', 'day', 'week', 'month'] as const;
export type SeriesUnit = (typeof seriesUnits)[number];

export const maxPoints = 1_000;

const seriesOptions = {
  unit: z.enum(seriesUnits),
  zone: timeZoneSchema(),
  compare: z.boolean(),
};

const pointOutput = <M extends string>(metrics: readonly M[]) =>
  z.object({
    /** `label` in the zone: '2026-11-01', hours as '2026-11-01T08:00'. */
    at: z.string(),
    label: z.string(),
    values: z.record(z.enum(metrics as readonly [M, ...M[]]), amountText),
  });

/** All data received by `freshnessFields` is included. */
const freshnessFields = { asOf: z.string(), isLate: z.boolean() };

const seriesOutput = <M extends string>(metrics: readonly M[]) =>
  z.object({ ...freshnessFields, points: z.array(pointOutput(metrics)), before: z.nullable(z.array(pointOutput(metrics))) });

const barsOutput = z.object({
  ...freshnessFields,
  bars: z.array(z.object({ from: z.nullable(amountText), to: z.nullable(amountText), rows: amountText })),
});
export type StatisticsBars = z.infer<typeof barsOutput>;

interface Statistics<Sorts, Filters, Row, Total, Metrics, Tops, Bars> {
  path: MenuPath;
  exporting: Permission;
  sorts: Sorts;
  filters: Filters;
  row: Row;
  total: readonly Total[];
  metrics: Metrics;
  tops: Tops;
  bars: Bars;
}

function statisticsRoutes<
  const Sorts extends readonly [string, ...string[]],
  const Filters extends Fields,
  Row extends z.ZodMiniType,
  const Total extends string,
  const Metrics extends readonly [string, ...string[]],
  const Tops extends readonly [string, ...string[]],
  const Bars extends readonly [string, ...string[]],
>({
  path,
  exporting: exportPermission,
  sorts,
  filters,
  row,
  total,
  metrics,
  tops,
  bars,
}: Statistics<Sorts, Filters, Row, Total, Metrics, Tops, Bars>) {
  const readMeta = { menu: path };
  const filter = filterInput(filters);
  return {
    ...listRoutes(path, { menu: path, id: rowIdSchema(), row, sorts, filters }),
    totals: route
      .meta(readMeta)
      .route({ method: 'POST', path: `${path}/totals` })
      .input(z.strictObject({ filter }))
      .output(
        z.object({
          ...freshnessFields,
          rows: amountText,
          sums: z.record(z.enum(total as readonly [Total, ...Total[]]), amountText),
        }),
      ),
    series: route
      .meta(readMeta)
      .route({ method: 'POST', path: `${path}/series` })
      .input(z.strictObject({ filter, ...seriesOptions }))
      .output(seriesOutput<Metrics[number]>(metrics)),
    top: route
      .meta(readMeta)
      .route({ method: 'POST', path: `${path}/top` })
      .input(z.strictObject({ filter, by: z.enum(tops), metric: z.enum(metrics), limit: z.int().check(z.gte(1), z.lte(50)) }))
      .output(
        z.object({
          ...freshnessFields,
          top: z.array(z.object({ key: z.nullable(z.string()), value: amountText })),
          rest: amountText,
        }),
      ),
    bars: route
      .meta(readMeta)
      .route({ method: 'POST', path: `${path}/bars` })
      .input(z.strictObject({ filter, of: z.enum(bars), zone: timeZoneSchema() }))
      .output(barsOutput),
    export: route
      .meta({ permission: exportPermission })
      .route({ method: 'POST', path: `${path}/export` })
      .input(exportInput(sorts, filter))
      .output(exportOutput),
  };
}

const rowIdSchema = () =>
  z.string().check(z.regex(/^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|0x[0-9a-fA-F]{40}-\d{1,78})$/, { error: 'invalid' }));

/** Only the country is verified. */
export const visitRow = z.object({
  id: idSchema(),
  at: z.string(),
  page: z.string(),
  country: z.nullable(z.string()),
  chainId: z.nullable(z.int()),
  btcDeposited: amountText,
  yuMinted: amountText,
  address: z.nullable(z.string()),
  vaultId: z.nullable(z.string()),
});
export type VisitRow = z.infer<typeof visitRow>;

export const visitSorts = ['at'] as const;
export const visitFilter = filterInput(visitFilters);
export type VisitFilter = FilterOf<typeof visitFilters>;

export const visitMetrics = ['visits', 'btcDeposited', 'yuMinted'] as const;

export const visits = statisticsRoutes({
  path: '/statistics/dataView',
  exporting: 'visits.export',
  sorts: visitSorts,
  filters: visitFilters,
  row: visitRow,
  total: ['btcDeposited', 'yuMinted'],
  metrics: visitMetrics,
  tops: ['country', 'page', 'chain'],
  bars: ['hourOfDay'],
});

export const walletConnectionRow = z.object({
  id: idSchema(),
  address: z.string(),
  wallet: z.string(),
  chainId: z.nullable(z.int()),
  country: z.nullable(z.string()),
  firstAt: z.string(),
  lastAt: z.string(),
  times: z.int(),
});
export type WalletConnectionRow = z.infer<typeof walletConnectionRow>;

export const walletConnectionSorts = ['lastAt', 'firstAt', 'times'] as const;
export const walletConnectionFilter = filterInput(walletConnectionFilters);
export type WalletConnectionFilter = FilterOf<typeof walletConnectionFilters>;

export const walletConnectionMetrics = ['wallets', 'new'] as const;

export const walletConnections = statisticsRoutes({
  path: '/statistics/dataWallet',
  exporting: 'walletConnections.export',
  sorts: walletConnectionSorts,
  filters: walletConnectionFilters,
  row: walletConnectionRow,
  total: ['times'],
  metrics: walletConnectionMetrics,
  tops: ['country', 'wallet', 'chain'],
  bars: ['times'],
});

export const statisticsChainStates = ['ok', 'off', 'behind', 'unreachable'] as const;

const chainRow = {
  /** `<trove manager>-<trove id>` */
  id: z.string(),
  chainId: z.int(),
  collateral: amountText,
  debt: amountText,
  icr: z.nullable(amountText),
  createdAt: z.string(),
};

const chainMetrics = ['opened', 'collateral', 'debt'] as const;

export const vaultRow = z.object({ ...chainRow, vaultId: z.string(), owner: z.string() });
export type VaultRow = z.infer<typeof vaultRow>;
export const vaultSorts = ['createdAt', 'collateral', 'debt', 'icr'] as const;
export const vaultFilter = filterInput(vaultFilters);

export const vaults = {
  ...statisticsRoutes({
    path: '/statistics/dataVault',
    exporting: 'vaults.export',
    sorts: vaultSorts,
    filters: vaultFilters,
    row: vaultRow,
    total: ['collateral', 'debt'],
    metrics: chainMetrics,
    tops: ['owner'],
    bars: ['icr', 'collateral', 'debt'],
  }),
  follower: route
    .meta({ menu: '/statistics/dataVault' })
    .route({ method: 'GET', path: '/statistics/dataVault/follower' })
    .output(z.object({ state: z.enum(statisticsChainStates), asOf: z.nullable(z.string()) })),
};

export const positionStatRow = z.object({
  ...chainRow,
  positionId: z.string(),
  address: z.string(),
  liquidationPrice: z.nullable(amountText),
  status: z.enum(positionStatuses),
});
export type PositionStatRow = z.infer<typeof positionStatRow>;
export const positionStatSorts = ['createdAt', 'collateral', 'debt', 'icr'] as const;
export const positionStatFilter = filterInput(positionStatFilters);

export const positionStats = {
  ...statisticsRoutes({
    path: '/statistics/dataCdp',
    exporting: 'positionStats.export',
    sorts: positionStatSorts,
    filters: positionStatFilters,
    row: positionStatRow,
    total: ['collateral', 'debt'],
    metrics: chainMetrics,
    tops: ['owner', 'status'],
    bars: ['icr', 'collateral', 'debt'],
  }),
  follower: route
    .meta({ menu: '/statistics/dataCdp' })
    .route({ method: 'GET', path: '/statistics/dataCdp/follower' })
    .output(z.object({ state: z.enum(statisticsChainStates), asOf: z.nullable(z.string()) })),
};

const maxWei = 10n ** 60n;

export const teamFields = z.strictObject({
  captain: evmAddressSchema(),
  yuMinted: integerSchema({ min: 0n, max: maxWei }),
  size: countSchema(),
});
export type TeamFields = z.infer<typeof teamFields>;
export const teamColumns = {
  captain: { zh: '队长地址', en: "Captain's address" },
  yuMinted: { zh: '团队 YU 总铸造量（wei）', en: 'Team total YU minted (wei)' },
  size: { zh: '团队人数', en: 'Team size' },
} as const satisfies Record<keyof TeamFields, Name>;

export const teamRow = z.object({
  id: idSchema(),
  captain: z.string(),
  yuMinted: amountText,
  size: z.int(),
  updatedAt: z.string(),
  importId: z.nullable(z.string()),
});
export type TeamRow = z.infer<typeof teamRow>;

export const teamSorts = ['yuMinted', 'size', 'updatedAt'] as const;
export const teamFilter = filterInput(teamFilters);
export type TeamFilter = FilterOf<typeof teamFilters>;

export const teams = statisticsRoutes({
  path: '/statistics/datacaptain',
  exporting: 'teams.export',
  sorts: teamSorts,
  filters: teamFilters,
  row: teamRow,
  total: ['yuMinted', 'size'],
  metrics: ['teams', 'yuMinted', 'size'],
  tops: ['captain'],
  bars: ['size', 'yuMinted'],
});

export const drawFields = z.strictObject({
  time: z.pipe(
    z.pipe(
      textSchema(40).check(z.refine((value) => normalizeTime(value) !== null, { error: 'timeSpelling' })),
      z.transform((value) => normalizeTime(value) ?? value),
    ),
    timeSchema(),
  ),
  captain: evmAddressSchema(),
  members: countSchema(),
  captainBerries: integerSchema({ min: 0n, max: maxBerries }),
  totalBerries: integerSchema({ min: 0n, max: maxBerries }),
});
export type DrawFields = z.infer<typeof drawFields>;
export const drawColumns = {
  time: { zh: '抽奖时间', en: 'Lottery time' },
  captain: { zh: '队长地址', en: "Captain's address" },
  members: { zh: '团队人数（不含队长）', en: 'Team size excluding the captain' },
  captainBerries: { zh: '队长积分', en: "Captain's berries" },
  totalBerries: { zh: '奖励总积分', en: 'Total prize berries' },
} as const satisfies Record<keyof DrawFields, Name>;

export const drawRow = z.object({
  id: idSchema(),
  time: z.string(),
  captain: z.string(),
  members: z.int(),
  captainBerries: amountText,
  totalBerries: amountText,
  importId: z.nullable(z.string()),
});
export type DrawRow = z.infer<typeof drawRow>;

export const drawSorts = ['time', 'totalBerries', 'captainBerries', 'members'] as const;
export const drawFilter = filterInput(drawFilters);
export type DrawFilter = FilterOf<typeof drawFilters>;

export const draws = statisticsRoutes({
  path: '/statistics/data0penBox',
  exporting: 'draws.export',
  sorts: drawSorts,
  filters: drawFilters,
  row: drawRow,
  total: ['members', 'captainBerries', 'totalBerries'],
  metrics: ['draws', 'captainBerries', 'totalBerries'],
  tops: ['captain'],
  bars: ['members', 'totalBerries'],
});

export const eventLimit = { batch: 500, bytes: 512 * 1024, oldestMs: 7 * 86_400_000, aheadMs: 5 * 60_000 };
