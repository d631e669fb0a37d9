import type { FilterField, FilterOf, Fields } from '../../api/filter.ts';
import { auditFilters } from '../../api/audit/filters.ts';
import { crsmFilters, positionFilters } from '../../api/crsm/filters.ts';
import { depositFilters } from '../../api/deposits/filters.ts';
import { feedbackFilters } from '../../api/feedback/filters.ts';
import { newsFilters } from '../../api/news/filters.ts';
import { noticeFilters } from '../../api/notices/filters.ts';
import { airdropFilters, balanceFilters, pointsFilters } from '../../api/rewards/filters.ts';
import {
  drawFilters,
  positionStatFilters,
  teamFilters,
  vaultFilters,
  visitFilters,
  walletConnectionFilters,
} from '../../api/statistics/filters.ts';
import { withdrawalFilters } from '../../api/withdrawals/filters.ts';
import type { TestApi } from '../testing/support.ts';

// Filters for each generated list: per field a common value, a rare one and the opposite.

export interface FilteredList {
  name: keyof TestApi;
  /** Default: `list`. */
  route?: string;
  table: string;
  /** Tables that must be filled too. */
  beside?: readonly string[];
  fields: Fields;
  /** Fields computed over all rows, of which there are few. */
  whole?: readonly string[];
  sorts: readonly string[];
  own: Readonly<Record<string, readonly string[]>>;
}

const yearAgo = Date.now() - 365 * 86_400_000;
const isoDayAfter = (days: number) => new Date(yearAgo + days * 86_400_000).toISOString();
const nextHour = new Date(Date.parse(isoDayAfter(200)) + 3_600_000).toISOString();
const timeConditions = [`${isoDayAfter(300)}..${isoDayAfter(330)}`, `${isoDayAfter(200)}..${nextHour}`, `${isoDayAfter(30)}..`];
const personAddress = `0x${'9'.repeat(40)}`;
const addressPrefixes = ['0x1', '0xabc', personAddress];
const figureConditions = {
  icr: ['100..110', '390..', '..5'],
  collateral: ['1..2', '499..', '..10'],
  debt: ['10..12', '800000..', '..5000'],
};
const coinConditions = ['0.001..0.002', '9..', '..0.01'];

export const filteredLists: readonly FilteredList[] = [
  {
    name: 'news',
    table: 'news',
    fields: newsFilters,
    sorts: ['time', 'createdAt'],
    own: { q: ['audit', 'Item 4711 ', 'nothing'] },
  },
  {
    name: 'notices',
    table: 'notices',
    fields: noticeFilters,
    sorts: ['createdAt', 'updatedAt'],
    own: { q: ['Notice', 'Notice 4711', 'nothing'] },
  },
  {
    name: 'feedback',
    table: 'feedback',
    fields: feedbackFilters,
    sorts: ['createdAt'],
    own: { q: ['languages', 'Opinion 4711 ', 'nothing'], email: ['example', 'visitor4711@', 'nobody'] },
  },
  {
    name: 'points',
    table: 'points',
    fields: pointsFilters,
    sorts: ['createdAt', 'berries'],
    own: { address: addressPrefixes, q: ['reward', 'Deducted', 'nothing'], berries: ['10..12', '4000..', '..-1'] },
  },
  {
    name: 'points',
    route: 'balances',
    table: 'point_balances',
    fields: balanceFilters,
    sorts: ['berries', 'updatedAt'],
    own: { address: addressPrefixes, berries: ['10..12', '800000..', '..5000'] },
  },
  {
    name: 'airdrops',
    table: 'airdrops',
    fields: airdropFilters,
    sorts: ['createdAt', 'berries'],
    own: {
      address: addressPrefixes,
      stage: ['Stage 1', 'Stage 4', '!Stage 1'],
      nftLevel: ['1', '!5', '9'],
      berries: ['10..12', '4000..', '..50'],
    },
  },
  {
    name: 'visits',
    table: 'visits',
    fields: visitFilters,
    sorts: ['at'],
    own: {
      address: addressPrefixes,
      country: ['US', 'BR', '!US,SG', '-'],
      chainId: ['200901', '31337', '!1'],
      page: ['/', '/terms', '!/'],
      vaultId: ['17', '!17', '-'],
    },
  },
  {
    name: 'walletConnections',
    table: 'wallet_connections',
    fields: walletConnectionFilters,
    sorts: ['lastAt', 'firstAt', 'times'],
    own: {
      address: addressPrefixes,
      country: ['US', 'VN', '!US,SG', '-'],
      chainId: ['200901', '4200', '-'],
      wallet: ['OKX', 'Rabby', '!OKX'],
      times: ['1..1', '39..', '..30'],
    },
  },
  {
    name: 'teams',
    table: 'teams',
    fields: teamFilters,
    sorts: ['yuMinted', 'size', 'updatedAt'],
    own: { address: addressPrefixes, yuMinted: figureConditions.debt, size: ['1..1', '39..', '..30'] },
  },
  {
    name: 'draws',
    table: 'draws',
    fields: drawFilters,
    sorts: ['time', 'totalBerries', 'captainBerries', 'members'],
    own: {
      address: addressPrefixes,
      members: ['1..1', '38..', '..30'],
      captainBerries: ['10..12', '2500..', '..50'],
      totalBerries: ['10..12', '19000..', '..50'],
    },
  },
  {
    name: 'deposits',
    table: 'deposits',
    fields: depositFilters,
    sorts: ['createdAt', 'amount'],
    own: { q: ['0xabc', 'abcde', 'bc1q1', 'bc1q9'], amount: coinConditions },
  },
  {
    name: 'withdrawals',
    table: 'withdrawals',
    fields: withdrawalFilters,
    sorts: ['createdAt', 'amount'],
    own: {
      address: addressPrefixes,
      amount: coinConditions,
      receiver: ['bc1q1', '!bc1q1', 'bc1q999999'],
      hash: ['a'.repeat(64)],
    },
  },
  {
    name: 'crsm',
    table: 'crsms',
    fields: crsmFilters,
    sorts: ['distance', 'collateral', 'debt', 'icr', 'deposits', 'createdAt'],
    own: { q: ['0xabc', '4711', personAddress], owner: [personAddress, `!${personAddress}`], ...figureConditions },
  },
  {
    name: 'crsm',
    route: 'positions',
    table: 'troves',
    fields: positionFilters,
    whole: ['kept'],
    sorts: ['icr', 'collateral', 'debt', 'openedAt'],
    own: { q: ['0xabc', '4711', personAddress], owner: [personAddress, `!${personAddress}`], ...figureConditions },
  },
  {
    name: 'vaults',
    table: 'troves',
    fields: vaultFilters,
    sorts: ['createdAt', 'collateral', 'debt', 'icr'],
    own: { address: ['0xabc', '4711', personAddress], chainId: ['31337', '1'], ...figureConditions },
  },
  {
    name: 'positionStats',
    table: 'troves',
    beside: ['crsm_events'],
    fields: positionStatFilters,
    whole: Object.keys(positionStatFilters), // closed positions are computed from events
    sorts: ['createdAt', 'collateral', 'debt', 'icr'],
    own: { address: ['0xabc', '4711', personAddress], chainId: ['31337', '1'], ...figureConditions },
  },
  {
    name: 'audit',
    table: 'audit',
    fields: auditFilters,
    sorts: ['time'],
    own: {
      actor: ['admin@demo.local', 'access@demo.local', '!admin@demo.local', '-'],
      what: ['news.edit', 'session.signIn', '!news.edit'],
      entity: ['mint', 'role', '!mint'],
      entityId: ['4711', '!4711'],
    },
  },
];

function listConditions(name: string, field: FilterField, conditionsByField: FilteredList['own']): readonly string[] {
  const fieldConditions = conditionsByField[name];
  if (fieldConditions) return fieldConditions;
  if (field.kind === 'time') return timeConditions;
  if (field.kind === 'flag') return ['true', 'false'];
  if (field.kind === 'choice') return [...field.values.slice(0, 4), `!${field.values[0]}`];
  throw new Error(`nothing is asked of ${name}`);
}

export function listFilterPairs({ fields, own: conditionsByField }: FilteredList): FilterOf<Fields>[] {
  const fieldConditions = Object.entries(fields).map(
    ([name, field]) => [name, listConditions(name, field, conditionsByField)] as const,
  );
  return fieldConditions.flatMap(([firstField, firstConditions], index) =>
    fieldConditions
      .slice(index + 1)
      .flatMap(([second, secondConditions]) =>
        firstConditions.flatMap((firstCondition) =>
          secondConditions.map((secondCondition) => ({ [firstField]: firstCondition, [second]: secondCondition })),
        ),
      ),
  );
}
