import { createHash } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';
import type { Queries, StatisticsDatabase } from '../platform/db/db.ts';
import { newId } from '../platform/core/ids.ts';
import { createSlotFinder } from './slots.ts';
import { visits as visitRows } from './tables.ts';

const hourMs = 3_600_000;

export interface NewVisit {
  id: string;
  at: Date;
  page: string;
  country: string | null;
  chainId: number | null;
  btcDeposited: bigint;
  yuMinted: bigint;
  address: string | null;
  vaultId: string | null;
}

export interface NewConnection {
  id: string;
  at: Date;
  address: string;
  wallet: string;
  chainId: number;
  country: string | null;
}

/** A UUIDv7 of the event's time and a hash of its id, so that a repeated event is the same row. */
export function eventRowId(rowTime: Date, id: string): string {
  const time = rowTime.getTime().toString(16).padStart(12, '0');
  const hash = createHash('sha256').update(id.toLowerCase()).digest('hex');
  const variant = ((Number.parseInt(hash.slice(3, 4), 16) & 0x3) | 0x8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`;
}

export const parseRowTime = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));

/** Removes repetitions within a batch. */
export const uniqueById = <E extends { id: string }>(events: readonly E[]): E[] => [
  ...new Map(events.toReversed().map((event) => [event.id, event])).values(),
];

const list = (values: readonly unknown[], type: string): SQL => sql`${sql.param([...values])}::${sql.raw(type)}[]`;

export async function insertVisits(statistics: StatisticsDatabase, visits: readonly NewVisit[]): Promise<number> {
  if (visits.length === 0) return 0;
  if (!statistics.isSeparate) return insertInOneQuery(statistics.db, visits, null);
  const slotOf = await createSlotFinder(statistics);
  if (!(await statistics.isDistributed())) return insertInOneQuery(statistics.db, visits, visits.map(slotOf));
  return insertPerSlot(
    statistics,
    visits.map((visit) => ({ ...visit, slot: slotOf(visit) })),
  );
}

type PlacedVisit = NewVisit & { slot: number };

/** Without slots, the panel's own tables use their default. */
async function insertInOneQuery(queries: Queries, visits: readonly NewVisit[], slots: readonly number[] | null): Promise<number> {
  const slotColumn = slots ? sql`, slot` : sql``;
  const { rows } = await queries.execute<{ taken: number }>(sql`
    with fresh as (
      insert into visits (id, at, page, country, chain_id, btc_deposited, yu_minted, address, vault_id${slotColumn})
      select * from unnest(${list(
        visits.map(({ id }) => id),
        'uuid',
      )}, ${list(
        visits.map(({ at }) => at.toISOString()),
        'timestamptz',
      )},
        ${list(
          visits.map(({ page }) => page),
          'text',
        )}, ${list(
          visits.map(({ country }) => country),
          'text',
        )},
        ${list(
          visits.map(({ chainId }) => chainId),
          'int',
        )}, ${list(
          visits.map(({ btcDeposited }) => String(btcDeposited)),
          'bigint',
        )},
        ${list(
          visits.map(({ yuMinted }) => String(yuMinted)),
          'numeric',
        )}, ${list(
          visits.map(({ address }) => address),
          'text',
        )},
        ${list(
          visits.map(({ vaultId }) => vaultId),
          'text',
        )}${slots ? sql`, ${list(slots, 'int')}` : sql``})
      on conflict do nothing
      returning at, page, country, chain_id, btc_deposited, yu_minted${slotColumn}
    ), added as (
      insert into visit_deltas (hour, page, country, chain_id, visits, btc_deposited, yu_minted${slotColumn})
      select date_trunc('hour', at, 'UTC'), page, coalesce(country, ''), coalesce(chain_id, 0), count(*), sum(btc_deposited), sum(yu_minted)${slotColumn}
      from fresh group by 1, 2, 3, 4${slotColumn}
    )
    select count(*)::int as taken from fresh`);
  return rows[0]?.taken ?? 0;
}

/**
 * A transaction for each slot, so that it needs one machine and commits in one phase. Throws if a slot fails. The sender then
 * repeats the batch, and the visits of the other slots count once.
 */
async function insertPerSlot({ db }: StatisticsDatabase, visits: readonly PlacedVisit[]): Promise<number> {
  const slots = groupBy(visits, (visit) => visit.slot);
  let insertedCount = 0;
  for (const [slot, slotVisits] of slots) {
    // In one order everywhere, so that concurrent repetitions do not deadlock.
    const sortedVisits = slotVisits.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    insertedCount += await db.transaction(async (tx) => {
      const insertedRows = await tx.insert(visitRows).values(sortedVisits).onConflictDoNothing().returning({ id: visitRows.id });
      if (insertedRows.length === 0) return 0;
      const ids = new Set(insertedRows.map(({ id }) => id));
      const visitDeltas = sumByHour(sortedVisits.filter(({ id }) => ids.has(id)));
      await tx.execute(
        sql`insert into visit_deltas (id, hour, page, country, chain_id, visits, btc_deposited, yu_minted, slot) values ${sql.join(
          visitDeltas.map(
            (delta) =>
              sql`(${newId()}::uuid, ${delta.hour}::timestamptz, ${delta.page}, ${delta.country}, ${delta.chainId}::int, ${delta.visits}::bigint, ${String(delta.btcDeposited)}::numeric, ${String(delta.yuMinted)}::numeric, ${slot}::int)`,
          ),
          sql`, `,
        )}`,
      );
      return insertedRows.length;
    });
  }
  return insertedCount;
}

function groupBy<K, V>(values: readonly V[], keyOf: (value: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

function sumByHour(visits: readonly NewVisit[]) {
  const truncateToHour = (rowTime: Date) => new Date(Math.floor(rowTime.getTime() / hourMs) * hourMs).toISOString();
  const groups = groupBy(visits, ({ at, page, country, chainId }) =>
    JSON.stringify([truncateToHour(at), page, country ?? '', chainId ?? 0]),
  );
  return [...groups].map(([key, slotVisits]) => {
    const [hour, page, country, chainId] = JSON.parse(key) as [string, string, string, number];
    return {
      hour,
      page,
      country,
      chainId,
      visits: slotVisits.length,
      btcDeposited: slotVisits.reduce((sum, visit) => sum + visit.btcDeposited, 0n),
      yuMinted: slotVisits.reduce((sum, visit) => sum + visit.yuMinted, 0n),
    };
  });
}

export async function insertConnections(queries: Queries, connections: readonly NewConnection[]): Promise<number> {
  if (connections.length === 0) return 0;
  const { rows } = await queries.execute<{ taken: number }>(sql`
    with given as (
      select * from unnest(${list(
        connections.map(({ id }) => id),
        'uuid',
      )}, ${list(
        connections.map(({ at }) => at.toISOString()),
        'timestamptz',
      )},
        ${list(
          connections.map(({ address }) => address),
          'text',
        )}, ${list(
          connections.map(({ wallet }) => wallet),
          'text',
        )},
        ${list(
          connections.map(({ chainId }) => chainId),
          'int',
        )}, ${list(
          connections.map(({ country }) => country),
          'text',
        )},
        ${list(
          connections.map(() => newId()),
          'uuid',
        )}) as g (id, at, address, wallet, chain_id, country, row_id)
    ), fresh as (
      insert into wallet_events (id, at) select id, at from given on conflict do nothing returning id
    ), sums as (
      select (array_agg(row_id))[1] as id, address, wallet, chain_id, min(at) as first_at, max(at) as last_at, count(*)::int as times,
        (array_agg(country order by at desc) filter (where country is not null))[1] as country
      from given join fresh using (id) group by address, wallet, chain_id
    ), counted as (
      insert into wallet_connections as t (id, address, wallet, chain_id, country, first_at, last_at, times)
      select id, address, wallet, chain_id, country, first_at, last_at, times from sums order by address, wallet, chain_id
      on conflict (address, wallet, chain_id) do update set
        first_at = least(t.first_at, excluded.first_at),
        last_at = greatest(t.last_at, excluded.last_at),
        times = t.times + excluded.times,
        country = case when excluded.last_at >= t.last_at then coalesce(excluded.country, t.country) else coalesce(t.country, excluded.country) end
    )
    select count(*)::int as taken from fresh`);
  return rows[0]?.taken ?? 0;
}

export const toUuidRanges = (ids: readonly string[]): string[] =>
  ids.filter((id) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id));
