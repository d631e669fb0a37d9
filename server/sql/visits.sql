CREATE OR REPLACE FUNCTION visits_make_month(month date) RETURNS void LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  name text := 'visits_' || to_char(month, 'YYYY_MM');
BEGIN
  PERFORM pg_advisory_xact_lock(42800019);
  IF to_regclass(name) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE visits INCLUDING ALL)', name);
  -- CREATE TABLE … PARTITION OF would block readers and writers.
  EXECUTE format('ALTER TABLE visits ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name,
    month::timestamp AT TIME ZONE 'UTC', (month + interval '1 month')::timestamp AT TIME ZONE 'UTC');
END $$;

-- Gives up after 500 ms if a reader holds the lock.
CREATE OR REPLACE FUNCTION visits_detach_month(month date) RETURNS void LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF month >= date_trunc('month', now() AT TIME ZONE 'UTC') - interval '1 month' THEN
    RAISE EXCEPTION 'this month and the last stay in visits' USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM set_config('lock_timeout', '500ms', true);
  EXECUTE format('ALTER TABLE visits DETACH PARTITION %I', 'visits_' || to_char(month, 'YYYY_MM'));
END $$;

REVOKE EXECUTE ON FUNCTION visits_make_month(date), visits_detach_month(date) FROM PUBLIC;
