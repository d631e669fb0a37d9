import { createHash } from 'node:crypto';
import { toChecksumAddress } from '../../api/evm.ts';
import type { StatisticsDatabase } from '../platform/db/db.ts';
import { createMonths } from './partitions.ts';
import { rollUpAll } from './roll-up.ts';

interface VisitGeneration {
  count: number;
  from: Date;
  to: Date;
  /** Seed: the same name makes the same visits. */
  name: string;
  batch?: number;
  progress?: (done: number) => void;
}

export const demoAddress = (number: number): string =>
  toChecksumAddress(`0x${createHash('sha256').update(`demo person ${number}`).digest('hex').slice(0, 40)}`);

const pages = ['/', '/', '/', '/mint', '/mint', '/vault', '/vault', '/stability-pool', '/earn', '/captain', '/news', '/docs/faq'];
const countries = ['US', 'US', 'SG', 'SG', 'DE', 'JP', 'KR', 'GB', 'HK', 'TR', 'BR', 'IN', 'FR', 'CA', 'VN', null];
const chains = [200901, 200901, 200901, 1, 4200, null];
const addressCount = 2_000;

export async function generateVisits(
  statistics: StatisticsDatabase,
  { count, from, to, name, batch = 100_000, progress }: VisitGeneration,
): Promise<void> {
  await createMonths(statistics, from, to);
  const addresses = Array.from({ length: addressCount }, (_, number) => demoAddress(number));
  const client = await statistics.connect(); // without the pool's timeouts
  try {
    for (let offset = 0; offset < count; offset += batch) {
      await client.query(text, [
        offset,
        Math.min(offset + batch, count),
        count,
        from,
        to,
        name,
        pages,
        countries,
        chains,
        addresses,
        statistics.isSeparate,
      ]);
      progress?.(Math.min(offset + batch, count));
    }
    await rollUpAll(statistics);
    await client.query('analyze visits, visit_hours, visit_hour_sums, visit_days');
  } finally {
    await client.end();
  }
}

// Pseudo-random values are 16-bit pieces of a hash of the number. The id is an event's: time and hash.
const text = `
  with dice as (
    select n, h, ('x' || substr(h, 1, 4))::bit(16)::int / 65536.0 as a, ('x' || substr(h, 5, 4))::bit(16)::int / 65536.0 as b,
      ('x' || substr(h, 9, 4))::bit(16)::int as c, ('x' || substr(h, 13, 4))::bit(16)::int as d, ('x' || substr(h, 17, 4))::bit(16)::int as e
    from generate_series($1::bigint, $2::bigint - 1) n, md5(n || $6::text) h
  ), placed as (
    select *, $4::timestamptz + extract(epoch from $5::timestamptz - $4::timestamptz) * power((n + 0.5) / $3::float8, 0.7) * interval '1 second' as even from dice
  ), timed as (
    select *, date_trunc('milliseconds', least(greatest(
      date_trunc('day', even, 'UTC') + (a + b) / 2 * interval '1 day'
        - case when extract(isodow from even at time zone 'UTC') >= 6 and c % 10 < 3 then interval '2 days' else interval '0' end,
      $4::timestamptz), $5::timestamptz - interval '1 second')) as at from placed
  ), fresh as (
    insert into visits (id, at, page, country, chain_id, btc_deposited, yu_minted, address, vault_id, slot)
    select (substr(t, 1, 8) || '-' || substr(t, 9, 4) || '-7' || substr(h, 1, 3) || '-8' || substr(h, 4, 3) || '-' || substr(h, 7, 12))::uuid,
      at, ($7::text[])[1 + c % array_length($7::text[], 1)], ($8::text[])[1 + d % array_length($8::text[], 1)],
      ($9::int[])[1 + e % array_length($9::int[], 1)],
      case when e % 30 = 0 then (1 + d) * 5000 else 0 end,
      case when e % 30 = 0 then (1 + d) * 2.17::numeric * 1000000000000000000 else 0 end,
      case when e % 6 = 0 then ($10::text[])[1 + (c * 7 + d) % array_length($10::text[], 1)] end,
      case when e % 30 = 0 then (1 + n / 30)::text end,
      case when $11::boolean then floor(extract(epoch from at) / 86400)::int * 8 else 0 end
    from timed, lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') t
    on conflict do nothing
    returning at, page, country, chain_id, btc_deposited, yu_minted, slot
  )
  insert into visit_deltas (hour, page, country, chain_id, visits, btc_deposited, yu_minted, slot)
  select date_trunc('hour', at, 'UTC'), page, coalesce(country, ''), coalesce(chain_id, 0), count(*), sum(btc_deposited), sum(yu_minted), slot
  from fresh group by 1, 2, 3, 4, slot`;
