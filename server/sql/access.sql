-- Removing access takes this lock exclusively until commit. Every write shares it from its last permission check to its commit.
-- Triggers, so that no statement can bypass it.
CREATE OR REPLACE FUNCTION access_is_taken() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(42800004);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER access_is_taken BEFORE UPDATE OF enabled, deleted_at OR DELETE ON administrators FOR EACH STATEMENT EXECUTE FUNCTION access_is_taken();
CREATE OR REPLACE TRIGGER access_is_taken BEFORE UPDATE OR DELETE OR TRUNCATE ON administrator_roles FOR EACH STATEMENT EXECUTE FUNCTION access_is_taken();
CREATE OR REPLACE TRIGGER access_is_taken BEFORE UPDATE OF networks, idle_minutes, session_hours ON roles FOR EACH STATEMENT EXECUTE FUNCTION access_is_taken();
CREATE OR REPLACE TRIGGER access_is_taken BEFORE UPDATE OR DELETE OR TRUNCATE ON role_nodes FOR EACH STATEMENT EXECUTE FUNCTION access_is_taken();
CREATE OR REPLACE TRIGGER access_is_taken BEFORE UPDATE OF identifier OR DELETE OR TRUNCATE ON permission_nodes FOR EACH STATEMENT EXECUTE FUNCTION access_is_taken();
CREATE OR REPLACE TRIGGER access_is_taken BEFORE UPDATE OR DELETE OR TRUNCATE ON grantable_roles FOR EACH STATEMENT EXECUTE FUNCTION access_is_taken();
CREATE OR REPLACE TRIGGER access_is_taken BEFORE UPDATE OF enabled, deleted_at OR DELETE OR TRUNCATE ON service_accounts FOR EACH STATEMENT EXECUTE FUNCTION access_is_taken();
CREATE OR REPLACE TRIGGER access_is_taken BEFORE UPDATE OR DELETE OR TRUNCATE ON service_account_owners FOR EACH STATEMENT EXECUTE FUNCTION access_is_taken();
CREATE OR REPLACE TRIGGER access_is_taken BEFORE UPDATE OF revoked_at, expires_at, networks, hash, service_account_id, kind OR DELETE OR TRUNCATE ON service_tokens FOR EACH STATEMENT EXECUTE FUNCTION access_is_taken();
CREATE OR REPLACE TRIGGER access_is_taken BEFORE UPDATE OR DELETE OR TRUNCATE ON service_token_nodes FOR EACH STATEMENT EXECUTE FUNCTION access_is_taken();

-- Random, not a counter: a restore or failover never repeats a stamp. In its own row, so that granting needs no access lock.
CREATE OR REPLACE FUNCTION rights_are_others() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO rights_stamp (id, stamp) VALUES (1, gen_random_uuid()) ON CONFLICT (id) DO UPDATE SET stamp = excluded.stamp;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER rights_are_others BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON administrator_roles FOR EACH STATEMENT EXECUTE FUNCTION rights_are_others();
CREATE OR REPLACE TRIGGER rights_are_others BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON role_nodes FOR EACH STATEMENT EXECUTE FUNCTION rights_are_others();
CREATE OR REPLACE TRIGGER rights_are_others BEFORE UPDATE OF identifier OR DELETE OR TRUNCATE ON permission_nodes FOR EACH STATEMENT EXECUTE FUNCTION rights_are_others();
CREATE OR REPLACE TRIGGER rights_are_others BEFORE UPDATE OF networks, name ON roles FOR EACH STATEMENT EXECUTE FUNCTION rights_are_others();
CREATE OR REPLACE TRIGGER rights_are_others BEFORE UPDATE OF enabled, deleted_at OR DELETE OR TRUNCATE ON service_accounts FOR EACH STATEMENT EXECUTE FUNCTION rights_are_others();
CREATE OR REPLACE TRIGGER rights_are_others BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON service_account_owners FOR EACH STATEMENT EXECUTE FUNCTION rights_are_others();
CREATE OR REPLACE TRIGGER rights_are_others BEFORE UPDATE OF revoked_at, expires_at, networks, hash, service_account_id, kind OR DELETE OR TRUNCATE ON service_tokens FOR EACH STATEMENT EXECUTE FUNCTION rights_are_others();
CREATE OR REPLACE TRIGGER rights_are_others BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON service_token_nodes FOR EACH STATEMENT EXECUTE FUNCTION rights_are_others();

-- An unknown address is in no network.
CREATE OR REPLACE FUNCTION role_counts(networks cidr[], address inet, any_address boolean) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT any_address OR cardinality(networks) = 0 OR coalesce(address <<= ANY (networks), false)
$$;

-- Names of the actor's roles that would grant the permission from one of their networks, a line each. Null if there is none.
CREATE OR REPLACE FUNCTION roles_elsewhere(actor uuid, permission text, address inet) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT string_agg(DISTINCT r.name, e'\n') FROM permission_nodes n
    JOIN role_nodes rn ON rn.node_id = n.id
    JOIN administrator_roles ar ON ar.role_id = rn.role_id AND ar.administrator_id = actor
    JOIN roles r ON r.id = ar.role_id AND NOT role_counts(r.networks, address, false)
    WHERE n.identifier = permission
$$;

-- Null while allowed, which holds until commit. Each query must see what was committed while the previous one waited. Locks the
-- session's row, so that sign-ins do not wait for writes.
CREATE OR REPLACE FUNCTION still_allowed(actor uuid, own_session uuid, permission text, address inet, any_address boolean) RETURNS text LANGUAGE plpgsql AS $$
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
    JOIN roles r ON r.id = ar.role_id
    WHERE n.identifier = permission AND role_counts(r.networks, address, any_address);
  IF FOUND THEN RETURN NULL; END IF;
  RETURN CASE WHEN any_address OR roles_elsewhere(actor, permission, address) IS NULL THEN 'FORBIDDEN' ELSE 'NETWORK' END;
END $$;

-- For servers of version 1.0.0, which send no address: roles with networks grant nothing there, and a session of the CLI or of the
-- identity provider nothing at all, because these servers don't know its limits.
CREATE OR REPLACE FUNCTION still_allowed(actor uuid, own_session uuid, permission text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM sessions s WHERE s.id = own_session AND s.method IN ('cli', 'sso');
  IF FOUND THEN RETURN 'UNAUTHORIZED'; END IF;
  RETURN replace(still_allowed(actor, own_session, permission, NULL, false), 'NETWORK', 'FORBIDDEN');
END $$;

-- The same for a service token, called before end_write in the same transaction. `at`: the panel's clock.
CREATE OR REPLACE FUNCTION token_still_allowed(account uuid, own_token uuid, at timestamptz, permission text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(42800004);
  PERFORM FROM service_tokens t JOIN service_accounts s ON s.id = t.service_account_id
    WHERE t.id = own_token AND t.service_account_id = account AND t.revoked_at IS NULL AND t.expires_at > at
      AND s.enabled AND s.deleted_at IS NULL
      AND EXISTS (SELECT FROM service_account_owners o JOIN administrators a ON a.id = o.administrator_id
        WHERE o.service_account_id = s.id AND a.enabled AND a.deleted_at IS NULL)
      AND EXISTS (SELECT FROM administrators c WHERE c.id = t.created_by AND c.enabled AND c.deleted_at IS NULL);
  IF NOT FOUND THEN RETURN 'UNAUTHORIZED'; END IF;
  IF permission IS NULL THEN RETURN NULL; END IF;
  PERFORM FROM service_token_nodes tn JOIN permission_nodes n ON n.id = tn.node_id WHERE tn.token_id = own_token AND n.identifier = permission;
  IF NOT FOUND THEN RETURN 'FORBIDDEN'; END IF;
  RETURN NULL;
END $$;

-- Stores audit rows and response. AP403 aborts the transaction if the actor may no longer act.
CREATE OR REPLACE FUNCTION end_write(permission text, actor uuid, own_session uuid, inbox uuid[], payloads text[],
  keyed_by uuid, called text, idempotency_key text, answered text, address inet, any_address boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  refused text;
BEGIN
  IF permission IS NOT NULL OR own_session IS NOT NULL THEN
    refused := still_allowed(actor, own_session, permission, address, any_address);
    IF refused IS NOT NULL THEN
      RAISE EXCEPTION '%', refused USING ERRCODE = 'AP403', DETAIL = coalesce(roles_elsewhere(actor, permission, address), '');
    END IF;
  END IF;
  INSERT INTO audit_inbox (id, payload) SELECT * FROM unnest(inbox, payloads);
  IF idempotency_key IS NOT NULL THEN
    UPDATE idempotency i SET response = answered WHERE i.administrator_id = keyed_by AND i.route = called AND i.key = idempotency_key;
  END IF;
END $$;

-- For servers of version 1.0.0.
CREATE OR REPLACE FUNCTION end_write(permission text, actor uuid, own_session uuid, inbox uuid[], payloads text[],
  keyed_by uuid, called text, idempotency_key text, answered text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  refused text;
BEGIN
  IF permission IS NOT NULL OR own_session IS NOT NULL THEN
    refused := still_allowed(actor, own_session, permission);
    IF refused IS NOT NULL THEN RAISE EXCEPTION '%', refused USING ERRCODE = 'AP403'; END IF;
  END IF;
  PERFORM end_write(NULL, NULL, NULL, inbox, payloads, keyed_by, called, idempotency_key, answered, NULL, false);
END $$;

-- A stricter role shortens open sessions. Nothing lengthens them.
CREATE OR REPLACE FUNCTION shorten_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed uuid := coalesce(to_jsonb(NEW) ->> 'role_id', to_jsonb(NEW) ->> 'id');
  holder uuid := to_jsonb(NEW) ->> 'administrator_id';
BEGIN
  UPDATE sessions s SET idle_minutes = least(s.idle_minutes, r.idle_minutes),
      expires_at = least(s.expires_at, s.created_at + r.session_hours * interval '1 hour')
    FROM roles r JOIN administrator_roles ar ON ar.role_id = r.id
    WHERE r.id = changed AND s.administrator_id = ar.administrator_id AND s.revoked_at IS NULL
      AND (holder IS NULL OR ar.administrator_id = holder)
      AND (s.idle_minutes IS DISTINCT FROM least(s.idle_minutes, r.idle_minutes)
        OR s.expires_at > s.created_at + r.session_hours * interval '1 hour');
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER shorten_sessions AFTER INSERT OR UPDATE ON administrator_roles FOR EACH ROW EXECUTE FUNCTION shorten_sessions();
CREATE OR REPLACE TRIGGER shorten_sessions AFTER UPDATE OF idle_minutes, session_hours ON roles FOR EACH ROW EXECUTE FUNCTION shorten_sessions();
