-- By hand: the audit in months, so that old ones can be taken out of it. Its chain goes on as one sequence through all of them.
ALTER TABLE "audit" RENAME TO "audit_whole";--> statement-breakpoint
ALTER TABLE "audit_whole" DROP CONSTRAINT "audit_id_unique";--> statement-breakpoint
DROP INDEX "audit_at", "audit_actor", "audit_what", "audit_entity";--> statement-breakpoint
CREATE TABLE "audit" (
	"seq" bigint NOT NULL,
	"id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"actor_id" uuid,
	"actor_email" text NOT NULL,
	"command" text,
	"route" text NOT NULL,
	"permission" text,
	"action" text NOT NULL,
	"entity" text NOT NULL,
	"entity_id" text,
	"before" text,
	"after" text,
	"result" text NOT NULL,
	"request_id" text NOT NULL,
	"ip" text NOT NULL,
	"idempotency_key" text,
	"payload" text NOT NULL,
	"prev_hash" text NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "audit_seq_at_pk" PRIMARY KEY("seq","at"),
	CONSTRAINT "audit_id" UNIQUE("id","at"),
	CONSTRAINT "audit_result" CHECK ("result" in ('done', 'refused'))
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE INDEX "audit_at" ON "audit" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "audit_actor" ON "audit" USING btree ("actor_email" text_pattern_ops,"at","id");--> statement-breakpoint
CREATE INDEX "audit_what" ON "audit" USING btree (coalesce("command", "route") text_pattern_ops,"at","id");--> statement-breakpoint
CREATE INDEX "audit_entity" ON "audit" USING btree ("entity","entity_id","seq");--> statement-breakpoint
CREATE TRIGGER "audit_append_only" BEFORE UPDATE OR DELETE ON "audit" FOR EACH ROW EXECUTE FUNCTION audit_is_append_only();--> statement-breakpoint
CREATE TRIGGER "audit_no_truncate" BEFORE TRUNCATE ON "audit" FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();--> statement-breakpoint
CREATE FUNCTION audit_month_name(month date) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT 'audit_' || extract(year from month) || '_' || lpad(extract(month from month)::text, 2, '0')
$$;
--> statement-breakpoint
-- The table of a month, under the chain's lock. One that was taken out is not made again: a clock that is a year late is
-- an error, and nothing is written that could not be recorded.
CREATE FUNCTION audit_make_month(at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  month date := date_trunc('month', at AT TIME ZONE 'UTC');
  name text := audit_month_name(month);
BEGIN
  IF to_regclass(name) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE audit INCLUDING ALL)', name);
  EXECUTE format('CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only()', name);
  -- Attached, not made as a partition: that would lock out who reads.
  EXECUTE format('ALTER TABLE audit ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name,
    month::timestamp AT TIME ZONE 'UTC', (month + interval '1 month')::timestamp AT TIME ZONE 'UTC');
END $$;
--> statement-breakpoint
DO $$
DECLARE
  old timestamptz;
BEGIN
  FOR old IN SELECT DISTINCT date_trunc('month', at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' FROM audit_whole LOOP
    PERFORM audit_make_month(old);
  END LOOP;
  INSERT INTO audit SELECT seq, id, at, actor_id, actor_email, command, route, permission, action, entity, entity_id, before, after,
    result, request_id, ip, idempotency_key, payload, prev_hash, hash FROM audit_whole ORDER BY seq;
END $$;
--> statement-breakpoint
DROP TABLE "audit_whole";--> statement-breakpoint
CREATE OR REPLACE FUNCTION audit_append(payloads text[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  at_seq bigint;
  prev text;
  recorded text;
  f json;
BEGIN
  PERFORM pg_advisory_xact_lock(42800003);
  SELECT seq, hash INTO at_seq, prev FROM audit ORDER BY seq DESC LIMIT 1;
  at_seq := coalesce(at_seq, 0);
  prev := coalesce(prev, repeat('0', 64));
  FOREACH recorded IN ARRAY payloads LOOP
    at_seq := at_seq + 1;
    f := recorded::json;
    PERFORM audit_make_month((f->>'at')::timestamptz);
    INSERT INTO audit (seq, id, at, actor_id, actor_email, command, route, permission, action, entity, entity_id,
      before, after, result, request_id, ip, idempotency_key, payload, prev_hash, hash)
    VALUES (at_seq, (f->>'id')::uuid, (f->>'at')::timestamptz, (f->>'actorId')::uuid, f->>'actorEmail', f->>'command',
      f->>'route', f->>'permission', f->>'action', f->>'entity', f->>'entityId', nullif((f->'before')::text, 'null'), nullif((f->'after')::text, 'null'),
      f->>'result', f->>'requestId', f->>'ip', f->>'idempotencyKey', recorded, prev, audit_hash(at_seq, prev, recorded))
    RETURNING hash INTO prev;
  END LOOP;
  RETURN at_seq;
END $$;
--> statement-breakpoint
-- Takes a month out of the audit: its table stays beside it, append-only still. `last` is the number the caller has seen as its
-- last. A year stays, whoever asks. Gives up where a reader holds the table, rather than hold up who writes.
CREATE FUNCTION audit_detach_month(month date, last bigint) RETURNS void LANGUAGE plpgsql AS $$
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
