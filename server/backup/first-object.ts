import type pg from 'pg';

/** Null: none. */
export async function findFirstObject(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ name: string }>(
    `select name from (
       select n.nspname || '.' || c.relname as name, c.oid, 'pg_class'::regclass as class
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
       union all
       select n.nspname || '.' || p.proname, p.oid, 'pg_proc'::regclass from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       union all
       select nspname, oid, 'pg_namespace'::regclass from pg_namespace where nspname <> 'public'
     ) objects
     where name !~ '^(pg_|information_schema)' and not exists (
       select from pg_depend where classid = class and objid = objects.oid and deptype = 'e')
     order by name limit 1`,
  );
  return rows[0]?.name ?? null;
}
