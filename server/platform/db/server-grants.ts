import type pg from 'pg';

/**
 * For a role that owns no table and so cannot change the audit, the authority log or a trigger. Run as the owner after every
 * migration. `role` is quoted.
 */
export const buildServerGrants = (role: string): string => `revoke create on schema public from public;
grant usage on schema public, schema_history to ${role};
grant select on all tables in schema schema_history to ${role};
grant select, insert, update, delete on all tables in schema public to ${role};
grant usage on all sequences in schema public to ${role};
revoke insert, update, delete, truncate on audit from ${role};
do $$ declare month regclass; begin -- each month of the audit is a table of its own
  for month in select oid from pg_class where relname ~ '^audit_\\d{4,}_\\d{2}$' and relkind = 'r' loop
    execute format('revoke insert, update, delete, truncate on %s from ${role}', month);
  end loop;
end $$;
grant execute on function audit_detach_month(date, bigint), visits_make_month(date), visits_detach_month(date) to ${role};
`;

/** SQL that is true if the connected role lacks a grant of a server. `parameter` lists the tables. Their owner lacks none. */
export const lacksServerGrantsSql = (parameter: string): string => `(select coalesce(bool_or(
         case when relname = 'audit' then not has_table_privilege(oid, 'select')
           else not (has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
             and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete')) end), false)
       or exists (select from pg_proc where pronamespace = 'public'::regnamespace
         and proname in ('audit_detach_month', 'visits_make_month', 'visits_detach_month') and not has_function_privilege(oid, 'execute'))
     from pg_class where relnamespace = 'public'::regnamespace and relname = any(${parameter}))`;

export async function lacksServerGrants(client: pg.Client | pg.Pool, tables: readonly string[]): Promise<boolean> {
  const { rows } = await client.query<{ lacks: boolean }>(`select ${lacksServerGrantsSql('$1')} as lacks`, [tables]);
  return rows[0]?.lacks === true;
}

/** The same for a separate statistics database. */
export const buildStatisticsGrants = (role: string): string => `revoke create on schema public from public;
grant usage on schema public, schema_history to ${role};
grant select on all tables in schema schema_history to ${role};
grant select, insert, update, delete on all tables in schema public to ${role};
grant execute on function visits_make_month(date), visits_detach_month(date) to ${role};
`;

export const describeLackingGrants = (role: string, databaseName: 'panel' | 'statistics' = 'panel'): string =>
  databaseName === 'statistics'
    ? `The role "${role}" of the statistics database lacks grants. Run the output of migrate --statistics-grants ${role} there, as the owner of the tables.`
    : `The database role "${role}" lacks grants. Run the output of migrate --grants ${role} as the owner of the tables (for the signer: signer --grants ${role}).`;

export async function readCurrentRole(client: pg.Client | pg.Pool): Promise<string> {
  const { rows } = await client.query<{ role: string }>('select current_user as role');
  return rows[0]?.role ?? '';
}
