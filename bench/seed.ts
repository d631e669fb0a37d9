import type pg from 'pg';

export async function seedNews(database: pg.Client, rows: number): Promise<void> {
  await runWithoutIndexes(database, 'news', () =>
    database.query(
      `insert into news (id, title, description, image, time, link, shown, created_at, updated_at)
       select gen_random_uuid(), '比特币 Bitcoin ' || md5(n::text), repeat('What happened and why it matters. ', 5),
              'https://example.com/' || n || '.webp', at, 'https://example.com/news/' || n, n % 3 > 0, at, at
         from generate_series(1, $1::int) as n, lateral (select date_trunc('milliseconds', now() - random() * n / n * interval '5 years') as at) as times`,
      [rows],
    ),
  );
}

export async function seedPoints(database: pg.Client, rows: number): Promise<void> {
  await runWithoutIndexes(database, 'points', () =>
    database.query(
      `insert into points (id, address, berries, reason, source, administrator_email, created_at)
       select gen_random_uuid(), '0x' || lpad(to_hex(n % 50000), 40, '0'), 1 + n % 900, 'YU mint reward ' || n, 'adjustment', 'bench@x.y',
              date_trunc('milliseconds', now() - n * interval '20 seconds')
         from generate_series(1, $1::int - (select count(*)::int from points)) as n`,
      [rows],
    ),
  );
  await database.query('delete from point_balances');
  await database.query(
    'insert into point_balances select address, sum(berries), count(*), max(created_at) from points group by address',
  );
}

/** Indexes are built afterwards, which is many times faster. */
async function runWithoutIndexes(
  database: pg.Client,
  table: 'news' | 'points',
  insertRows: () => Promise<unknown>,
): Promise<void> {
  const { rows: indexes } = await database.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
      where tablename = $1 and indexname not in (select conname from pg_constraint where conrelid = $1::regclass)`,
    [table],
  );
  for (const index of indexes) await database.query(`drop index ${index.name}`);
  await insertRows();
  await database.query("set maintenance_work_mem = '1GB'");
  for (const { definition } of indexes) await database.query(definition);
  await database.query(`vacuum analyze ${table}`);
}
