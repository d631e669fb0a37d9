CREATE TABLE "rights_stamp" (
	"id" integer PRIMARY KEY NOT NULL,
	"stamp" uuid NOT NULL,
	CONSTRAINT "rights_stamp_one" CHECK ("rights_stamp"."id" = 1)
);
--> statement-breakpoint
-- ── How a write ends (server/platform/records/write.ts) ────────────────────
-- Whoever takes a right away holds the lock of access alone until their commit, and every write holds it beside other writes from
-- its last look at its own right to its commit. By trigger, so that no way to change these tables is forgotten.
CREATE FUNCTION access_is_taken() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(42800004);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER access_is_taken BEFORE UPDATE OF enabled, deleted_at OR DELETE ON administrators FOR EACH STATEMENT EXECUTE FUNCTION access_is_taken();
--> statement-breakpoint
CREATE TRIGGER access_is_taken BEFORE UPDATE OR DELETE OR TRUNCATE ON administrator_roles FOR EACH STATEMENT EXECUTE FUNCTION access_is_taken();
--> statement-breakpoint
CREATE TRIGGER access_is_taken BEFORE UPDATE OR DELETE OR TRUNCATE ON role_nodes FOR EACH STATEMENT EXECUTE FUNCTION access_is_taken();
--> statement-breakpoint
CREATE TRIGGER access_is_taken BEFORE UPDATE OF identifier OR DELETE OR TRUNCATE ON permission_nodes FOR EACH STATEMENT EXECUTE FUNCTION access_is_taken();
--> statement-breakpoint
-- Whoever has gathered somebody's rights under the stamp before gathers them anew. It is drawn, not counted: after a restore or a
-- failover it never says that rights are the same when they are not. A row of its own, so that who only gives waits for no lock of access.
CREATE FUNCTION rights_are_others() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO rights_stamp (id, stamp) VALUES (1, gen_random_uuid()) ON CONFLICT (id) DO UPDATE SET stamp = excluded.stamp;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER rights_are_others BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON administrator_roles FOR EACH STATEMENT EXECUTE FUNCTION rights_are_others();
--> statement-breakpoint
CREATE TRIGGER rights_are_others BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON role_nodes FOR EACH STATEMENT EXECUTE FUNCTION rights_are_others();
--> statement-breakpoint
CREATE TRIGGER rights_are_others BEFORE UPDATE OF identifier OR DELETE OR TRUNCATE ON permission_nodes FOR EACH STATEMENT EXECUTE FUNCTION rights_are_others();
--> statement-breakpoint
-- Why somebody may no longer do this, or null; what is answered stays true until the commit. Each query sees what was committed
-- while the one before it waited. The session is held as a row: signing in and out waits for nobody else's writes.
CREATE FUNCTION still_allowed(actor uuid, own_session uuid, permission text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(42800004);
  PERFORM FROM sessions s WHERE s.id = own_session AND s.administrator_id = actor AND s.revoked_at IS NULL FOR SHARE;
  IF NOT FOUND THEN RETURN 'UNAUTHORIZED'; END IF;
  PERFORM FROM administrators a WHERE a.id = actor AND a.enabled AND a.deleted_at IS NULL;
  IF NOT FOUND THEN RETURN 'UNAUTHORIZED'; END IF;
  PERFORM FROM permission_nodes n
    JOIN role_nodes rn ON rn.node_id = n.id
    JOIN administrator_roles ar ON ar.role_id = rn.role_id AND ar.administrator_id = actor
    WHERE n.identifier = permission;
  IF NOT FOUND THEN RETURN 'FORBIDDEN'; END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- The end of a write: why its actor may not (where a permission is named; nothing is written then), else null, with its audit
-- rows in the inbox and its answer under its key (where it has one).
CREATE FUNCTION end_write(permission text, actor uuid, own_session uuid, inbox uuid[], payloads text[],
  keyed_by uuid, called text, idempotency_key text, answered text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  refused text;
BEGIN
  IF permission IS NOT NULL THEN
    refused := still_allowed(actor, own_session, permission);
    IF refused IS NOT NULL THEN RETURN refused; END IF;
  END IF;
  INSERT INTO audit_inbox (id, payload) SELECT * FROM unnest(inbox, payloads);
  IF idempotency_key IS NOT NULL THEN
    UPDATE idempotency i SET response = answered WHERE i.administrator_id = keyed_by AND i.route = called AND i.key = idempotency_key;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- As before, with the text read once rather than once a field, and a month's table looked for only where the row before is of another.
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
