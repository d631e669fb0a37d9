-- Whoever takes a right away holds the lock of access alone until their commit, and every write holds it beside other writes from
-- its last look at its own right to its commit. By trigger, so that no way to change these tables is forgotten.
CREATE OR REPLACE FUNCTION access_is_taken() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(42800004);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER access_is_taken BEFORE UPDATE OF enabled, deleted_at OR DELETE ON administrators FOR EACH STATEMENT EXECUTE FUNCTION access_is_taken();
CREATE OR REPLACE TRIGGER access_is_taken BEFORE UPDATE OR DELETE OR TRUNCATE ON administrator_roles FOR EACH STATEMENT EXECUTE FUNCTION access_is_taken();
CREATE OR REPLACE TRIGGER access_is_taken BEFORE UPDATE OR DELETE OR TRUNCATE ON role_nodes FOR EACH STATEMENT EXECUTE FUNCTION access_is_taken();
CREATE OR REPLACE TRIGGER access_is_taken BEFORE UPDATE OF identifier OR DELETE OR TRUNCATE ON permission_nodes FOR EACH STATEMENT EXECUTE FUNCTION access_is_taken();

-- A changed stamp invalidates cached rights. The stamp is random, not a counter: after a restore or a
-- failover it never says that rights are the same when they are not. A row of its own, so that who only gives waits for no lock of access.
CREATE OR REPLACE FUNCTION rights_are_others() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO rights_stamp (id, stamp) VALUES (1, gen_random_uuid()) ON CONFLICT (id) DO UPDATE SET stamp = excluded.stamp;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER rights_are_others BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON administrator_roles FOR EACH STATEMENT EXECUTE FUNCTION rights_are_others();
CREATE OR REPLACE TRIGGER rights_are_others BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON role_nodes FOR EACH STATEMENT EXECUTE FUNCTION rights_are_others();
CREATE OR REPLACE TRIGGER rights_are_others BEFORE UPDATE OF identifier OR DELETE OR TRUNCATE ON permission_nodes FOR EACH STATEMENT EXECUTE FUNCTION rights_are_others();

-- Why somebody may no longer do this, or null; what is answered stays true until the commit. What takes no right takes a session all
-- the same. Each query sees what was committed while the one before it waited. The session is held as a row: signing in and out waits for nobody else's writes.
CREATE OR REPLACE FUNCTION still_allowed(actor uuid, own_session uuid, permission text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(42800004);
  PERFORM FROM sessions s WHERE s.id = own_session AND s.administrator_id = actor AND s.revoked_at IS NULL FOR SHARE;
  IF NOT FOUND THEN RETURN 'UNAUTHORIZED'; END IF;
  PERFORM FROM administrators a WHERE a.id = actor AND a.enabled AND a.deleted_at IS NULL;
  IF NOT FOUND THEN RETURN 'UNAUTHORIZED'; END IF;
  IF permission IS NULL THEN RETURN NULL; END IF;
  PERFORM FROM permission_nodes n
    JOIN role_nodes rn ON rn.node_id = n.id
    JOIN administrator_roles ar ON ar.role_id = rn.role_id AND ar.administrator_id = actor
    WHERE n.identifier = permission;
  IF NOT FOUND THEN RETURN 'FORBIDDEN'; END IF;
  RETURN NULL;
END $$;

-- The end of a write: its audit rows in the inbox and its answer under its key (where it has one). Where its actor may not (where a
-- permission or a session is named) it fails with AP403 and says why, so that nothing can be committed after it.
CREATE OR REPLACE FUNCTION end_write(permission text, actor uuid, own_session uuid, inbox uuid[], payloads text[],
  keyed_by uuid, called text, idempotency_key text, answered text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  refused text;
BEGIN
  IF permission IS NOT NULL OR own_session IS NOT NULL THEN
    refused := still_allowed(actor, own_session, permission);
    IF refused IS NOT NULL THEN RAISE EXCEPTION '%', refused USING ERRCODE = 'AP403'; END IF;
  END IF;
  INSERT INTO audit_inbox (id, payload) SELECT * FROM unnest(inbox, payloads);
  IF idempotency_key IS NOT NULL THEN
    UPDATE idempotency i SET response = answered WHERE i.administrator_id = keyed_by AND i.route = called AND i.key = idempotency_key;
  END IF;
END $$;
