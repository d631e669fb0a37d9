import { createHash } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../platform/db/db.ts';
import { newId } from '../platform/core/ids.ts';

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
export function eventRowId(at: Date, id: string): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  const hash = createHash('sha256').update(id.toLowerCase()).digest('hex');
  const variant = ((Number.parseInt(hash.slice(3, 4), 16) & 0x3) | 0x8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`;
}

export const timeOfRow = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));

/** Removes repetitions within a batch. */
export const firsts = <E extends { id: string }>(events: readonly E[]): E[] => [
  ...new Map(events.toReversed().map((event) => [event.id, event])).values(),
];

const list = (values: readonly unknown[], type: string): SQL => sql`${sql.param([...values])}::${sql.raw(type)}[]`;

/** In one statement with the hourly deltas. Repeated visits do not count. Returns the number of new ones. */
export async function insertVisits(queries: Queries, visits: readonly NewVisit[]): Promise<number> {
  if (visits.length === 0) return 0;
  const { rows } = await queries.execute<{ taken: number }>(sql`
    with fresh as (
      insert into visits (id, at, page, country, chain_id, btc_deposited, yu_minted, address, vault_id)
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
        )})
      on conflict do nothing
      returning at, page, country, chain_id, btc_deposited, yu_minted
    ), added as (
      insert into visit_deltas (hour, page, country, chain_id, visits, btc_deposited, yu_minted)
      select date_trunc('hour', at, 'UTC'), page, coalesce(country, ''), coalesce(chain_id, 0), count(*), sum(btc_deposited), sum(yu_minted)
      from fresh group by 1, 2, 3, 4
    )
    select count(*)::int as taken from fresh`);
  return rows[0]?.taken ?? 0;
}

/** Each once. Returns the number of new ones. */
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

export const uuidsOf = (ids: readonly string[]): string[] =>
  ids.filter((id) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id));
