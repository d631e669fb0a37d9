/**
 * SQL that lets the server work as a role that owns no table: it reads and writes rows, but cannot change the audit, the
 * authority log or a trigger. Run it as the owner after every migration. `role` is an SQL identifier as PostgreSQL quotes it.
 */
export const serverGrants = (role: string): string => `revoke create on schema public from public;
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
