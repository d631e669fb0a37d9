/**
 * SQL that lets the server work as a role that owns no table: it reads and writes rows, but cannot change the audit, the
 * authority log or a trigger. Run it as the owner after every migration. `role` is an SQL identifier as PostgreSQL quotes it.
 */
export const serverGrants = (role: string): string => `GRANT USAGE ON SCHEMA public, panel TO ${role};
GRANT SELECT ON ALL TABLES IN SCHEMA panel TO ${role};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role};
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${role};
REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON audit FROM ${role};
DO $$ DECLARE month regclass; BEGIN -- each month of the audit is a table of its own
  FOR month IN SELECT oid FROM pg_class WHERE relname ~ '^audit_\\d{4,}_\\d{2}$' AND relkind = 'r' LOOP
    EXECUTE format('REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON %s FROM ${role}', month);
  END LOOP;
END $$;
GRANT EXECUTE ON FUNCTION audit_detach_month(date, bigint), visits_make_month(date), visits_detach_month(date) TO ${role};
`;
