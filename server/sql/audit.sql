CREATE OR REPLACE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE OR REPLACE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_is_append_only();
CREATE OR REPLACE TRIGGER audit_no_truncate BEFORE TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();

-- Must equal rowHash in audit/chain.ts.
CREATE OR REPLACE FUNCTION audit_hash(seq bigint, prev_hash text, payload text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(sha256(convert_to('admin-panel audit 1' || E'\n' || seq || E'\n' || prev_hash || E'\n' || payload, 'UTF8')), 'hex')
$$;

CREATE OR REPLACE FUNCTION audit_month_name(month date) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT 'audit_' || extract(year from month) || '_' || lpad(extract(month from month)::text, 2, '0')
$$;

-- Under the chain's lock. A detached month is not recreated, so that late entries fail.
CREATE OR REPLACE FUNCTION audit_make_month(at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  month date := date_trunc('month', at AT TIME ZONE 'UTC');
  name text := audit_month_name(month);
BEGIN
  IF to_regclass(name) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE audit INCLUDING ALL)', name);
  EXECUTE format('CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only()', name);
  -- Does not block readers, unlike CREATE TABLE … PARTITION OF.
  EXECUTE format('ALTER TABLE audit ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name,
    month::timestamp AT TIME ZONE 'UTC', (month + interval '1 month')::timestamp AT TIME ZONE 'UTC');
END $$;

-- Holds the lock for one round trip. Returns the last number.
CREATE OR REPLACE FUNCTION audit_append(payloads text[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  at_seq bigint;
  prev text;
  own text;
  month timestamp;
  recorded text;
  f record;
BEGIN
  PERFORM pg_advisory_xact_lock(42800003);
  SELECT seq, hash, date_trunc('month', at AT TIME ZONE 'UTC') INTO at_seq, prev, month FROM audit ORDER BY seq DESC LIMIT 1;
  at_seq := coalesce(at_seq, 0);
  prev := coalesce(prev, repeat('0', 64));
  FOREACH recorded IN ARRAY payloads LOOP
    at_seq := at_seq + 1;
    SELECT * INTO f FROM json_to_record(recorded::json) AS r(id uuid, at timestamptz, "actorId" uuid, "actorEmail" text, command text,
      route text, permission text, action text, entity text, "entityId" text, before json, after json, result text, "requestId" text,
      ip text, "idempotencyKey" text);
    IF month IS DISTINCT FROM date_trunc('month', f.at AT TIME ZONE 'UTC') THEN
      PERFORM audit_make_month(f.at);
      month := date_trunc('month', f.at AT TIME ZONE 'UTC');
    END IF;
    own := audit_hash(at_seq, prev, recorded);
    INSERT INTO audit (seq, id, at, actor_id, actor_email, command, route, permission, action, entity, entity_id,
      before, after, result, request_id, ip, idempotency_key, payload, prev_hash, hash)
    VALUES (at_seq, f.id, f.at, f."actorId", f."actorEmail", f.command, f.route, f.permission, f.action, f.entity, f."entityId",
      f.before::text, f.after::text, f.result, f."requestId", f.ip, f."idempotencyKey", recorded, prev, own);
    prev := own;
  END LOOP;
  RETURN at_seq;
END $$;

-- At commit, so that writers (the signer) need no permission on the audit.
CREATE OR REPLACE FUNCTION audit_take_in() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM audit_append(ARRAY[NEW.payload]);
  DELETE FROM audit_inbox WHERE id = NEW.id;
  RETURN NULL;
END $$;

-- Constraint triggers cannot be replaced, and recreating one blocks writes.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_trigger WHERE tgname = 'audit_take_in' AND tgrelid = 'audit_inbox'::regclass) THEN
    CREATE CONSTRAINT TRIGGER audit_take_in AFTER INSERT ON audit_inbox DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION audit_take_in();
  END IF;
END $$;

-- The month stays append-only. `last`: last number known to the caller. Gives up quickly, because waiting would block writers.
CREATE OR REPLACE FUNCTION audit_detach_month(month date, last bigint) RETURNS void LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  name text := audit_month_name(month);
  there bigint;
BEGIN
  IF month > date_trunc('month', now() AT TIME ZONE 'UTC') - interval '12 months' THEN
    RAISE EXCEPTION 'a month of the audit stays for a year' USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM set_config('lock_timeout', '500ms', true);
  PERFORM pg_advisory_xact_lock(42800003);
  EXECUTE format('ALTER TABLE audit DETACH PARTITION %I', name);
  EXECUTE format('SELECT max(seq) FROM %I', name) INTO there;
  IF there IS DISTINCT FROM last THEN
    RAISE EXCEPTION 'a row was added to the month since' USING ERRCODE = 'serialization_failure';
  END IF;
  IF NOT EXISTS (SELECT FROM audit WHERE seq > last) THEN
    RAISE EXCEPTION 'the chain ends in that month: its last row stays, or the next would take its number';
  END IF;
  EXECUTE format('CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION audit_is_append_only()', name);
END $$;

REVOKE EXECUTE ON FUNCTION audit_append(text[]), audit_detach_month(date, bigint) FROM PUBLIC;
