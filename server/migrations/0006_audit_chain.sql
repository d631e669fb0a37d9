DROP INDEX "audit_entity";--> statement-breakpoint
ALTER TABLE "audit" ALTER COLUMN "seq" DROP IDENTITY;--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "payload" text;--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "prev_hash" text;--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "hash" text;--> statement-breakpoint
-- Hash of one row of the chain: the same formula as rowHash in server/platform/audit-chain.ts.
CREATE FUNCTION audit_hash(seq bigint, prev_hash text, payload text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(sha256(convert_to('admin-panel audit 1' || E'\n' || seq || E'\n' || prev_hash || E'\n' || payload, 'UTF8')), 'hex')
$$;
--> statement-breakpoint
-- Rows from before the chain: renumbered without gaps in the order they were recorded, and chained once.
ALTER TABLE "audit" DISABLE TRIGGER "audit_append_only";--> statement-breakpoint
DO $$
DECLARE
  old record;
  next_seq bigint := 0;
  prev text := repeat('0', 64);
  recorded text;
BEGIN
  FOR old IN SELECT * FROM audit ORDER BY seq LOOP
    next_seq := next_seq + 1;
    recorded := json_build_object(
      'id', old.id, 'at', to_char(old.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'actorId', old.actor_id, 'actorEmail', old.actor_email, 'command', old.command, 'route', old.route,
      'permission', old.permission, 'action', old.action, 'entity', old.entity, 'entityId', old.entity_id,
      'before', old.before::json, 'after', old.after::json, 'result', old.result, 'requestId', old.request_id,
      'ip', old.ip, 'idempotencyKey', old.idempotency_key)::text;
    UPDATE audit SET seq = next_seq, payload = recorded, prev_hash = prev, hash = audit_hash(next_seq, prev, recorded)
      WHERE seq = old.seq;
    prev := audit_hash(next_seq, prev, recorded);
  END LOOP;
END $$;
--> statement-breakpoint
ALTER TABLE "audit" ENABLE TRIGGER "audit_append_only";--> statement-breakpoint
ALTER TABLE "audit" ALTER COLUMN "payload" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "audit" ALTER COLUMN "prev_hash" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "audit" ALTER COLUMN "hash" SET NOT NULL;--> statement-breakpoint
CREATE INDEX "audit_actor" ON "audit" USING btree ("actor_email" text_pattern_ops,"at","id");--> statement-breakpoint
CREATE INDEX "audit_what" ON "audit" USING btree (coalesce("command", "route") text_pattern_ops,"at","id");--> statement-breakpoint
CREATE INDEX "audit_entity" ON "audit" USING btree ("entity","entity_id","seq");--> statement-breakpoint
-- Appends texts to the chain and answers the last number. One call, so that the lock is held for one way to the
-- database and the commit; each query inside sees what was committed while the lock was waited for.
CREATE FUNCTION audit_append(payloads text[]) RETURNS bigint LANGUAGE plpgsql AS $$
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
    INSERT INTO audit (seq, id, at, actor_id, actor_email, command, route, permission, action, entity, entity_id,
      before, after, result, request_id, ip, idempotency_key, payload, prev_hash, hash)
    VALUES (at_seq, (f->>'id')::uuid, (f->>'at')::timestamptz, (f->>'actorId')::uuid, f->>'actorEmail', f->>'command',
      f->>'route', f->>'permission', f->>'action', f->>'entity', f->>'entityId', nullif((f->'before')::text, 'null'), nullif((f->'after')::text, 'null'),
      f->>'result', f->>'requestId', f->>'ip', f->>'idempotencyKey', recorded, prev, audit_hash(at_seq, prev, recorded))
    RETURNING hash INTO prev;
  END LOOP;
  RETURN at_seq;
END $$;
