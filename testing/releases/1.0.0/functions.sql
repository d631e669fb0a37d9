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

-- Whoever has gathered somebody's rights under the stamp before gathers them anew. It is drawn, not counted: after a restore or a
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
-- permission or a session is named) it fails with AP403 and says why, so that a commit told with it is none.
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

-- What was recorded stays as it was recorded.
CREATE OR REPLACE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE OR REPLACE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_is_append_only();
CREATE OR REPLACE TRIGGER audit_no_truncate BEFORE TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();

-- Hash of one row of the chain: the same formula as rowHash in server/platform/audit/chain.ts.
CREATE OR REPLACE FUNCTION audit_hash(seq bigint, prev_hash text, payload text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(sha256(convert_to('admin-panel audit 1' || E'\n' || seq || E'\n' || prev_hash || E'\n' || payload, 'UTF8')), 'hex')
$$;

CREATE OR REPLACE FUNCTION audit_month_name(month date) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT 'audit_' || extract(year from month) || '_' || lpad(extract(month from month)::text, 2, '0')
$$;

-- The table of a month, under the chain's lock. One that was taken out is not made again: a clock that is a year late is
-- an error, and nothing is written that could not be recorded.
CREATE OR REPLACE FUNCTION audit_make_month(at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
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

-- Appends texts to the chain and answers the last number. One call, so that the lock is held for one way to the
-- database and the commit; each query inside sees what was committed while the lock was waited for.
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

-- At the commit of the transaction that put it there, a text goes into the chain and leaves the inbox.
-- Whoever may put a text in the inbox needs no right to the audit: the signer has none.
CREATE OR REPLACE FUNCTION audit_take_in() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM audit_append(ARRAY[NEW.payload]);
  DELETE FROM audit_inbox WHERE id = NEW.id;
  RETURN NULL;
END $$;

DROP TRIGGER IF EXISTS audit_take_in ON audit_inbox;
CREATE CONSTRAINT TRIGGER audit_take_in AFTER INSERT ON audit_inbox DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION audit_take_in();

-- Takes a month out of the audit: its table stays beside it, append-only still. `last` is the number the caller has seen as its
-- last. A year stays, whoever asks. Gives up where a reader holds the table, rather than hold up who writes.
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

-- Only the owner of the tables, and roles that get the right explicitly, may call these two.
REVOKE EXECUTE ON FUNCTION audit_append(text[]), audit_detach_month(date, bigint) FROM PUBLIC;

CREATE OR REPLACE FUNCTION authority_lines_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the authority log is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE OR REPLACE TRIGGER authority_lines_stay BEFORE UPDATE OR DELETE ON authority_lines FOR EACH ROW EXECUTE FUNCTION authority_lines_stay();
CREATE OR REPLACE TRIGGER authority_lines_stay_all BEFORE TRUNCATE ON authority_lines FOR EACH STATEMENT EXECUTE FUNCTION authority_lines_stay();

-- What was confirmed is what is minted: nothing of it changes afterwards, and none of it goes.
-- A closed deposit stays closed: its output may be another's by now.
CREATE OR REPLACE FUNCTION deposits_are_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status = 'confirmed' AND (TG_OP = 'DELETE' OR
    (OLD.mint_status = 'closed' AND NEW.mint_status <> 'closed') OR
    (NEW.status, NEW.user_address, NEW.amount, NEW.cobo_address, NEW.network, NEW.txid, NEW.vout, NEW.type, NEW.lock_time)
    IS DISTINCT FROM
    (OLD.status, OLD.user_address, OLD.amount, OLD.cobo_address, OLD.network, OLD.txid, OLD.vout, OLD.type, OLD.lock_time)) THEN
    RAISE EXCEPTION 'a confirmed deposit is final';
  END IF;
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE OR REPLACE TRIGGER deposits_are_final BEFORE UPDATE OR DELETE ON deposits FOR EACH ROW EXECUTE FUNCTION deposits_are_final();

-- What a mint is for and where does not change. A canceled one is only closed, or found to be final after all; a closed one stays.
CREATE OR REPLACE FUNCTION mints_are_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR (NEW.id, NEW.deposit_id, NEW.deposit_hash, NEW.chain_id, NEW.token, NEW.bridge, NEW.recipient, NEW.amount)
    IS DISTINCT FROM
    (OLD.id, OLD.deposit_id, OLD.deposit_hash, OLD.chain_id, OLD.token, OLD.bridge, OLD.recipient, OLD.amount) THEN
    RAISE EXCEPTION 'what a mint is for does not change';
  END IF;
  IF (OLD.state = 'closed' AND NEW.state <> 'closed') OR
    (OLD.state = 'canceled' AND NEW.state NOT IN ('canceled', 'closed', 'final')) THEN
    RAISE EXCEPTION 'a % mint does not go on', OLD.state;
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER mints_are_final BEFORE UPDATE OR DELETE ON mints FOR EACH ROW EXECUTE FUNCTION mints_are_final();

CREATE OR REPLACE FUNCTION mint_transactions_are_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a signed transaction is kept as it is';
END $$;
CREATE OR REPLACE TRIGGER mint_transactions_are_kept BEFORE UPDATE OR DELETE ON mint_transactions
  FOR EACH ROW EXECUTE FUNCTION mint_transactions_are_kept();

-- Bytes are signed for a mint that waits for them, and for no other.
CREATE OR REPLACE FUNCTION mint_transactions_are_wanted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM mints WHERE id = NEW.mint_id AND state IN ('queued', 'sent')) THEN
    RAISE EXCEPTION 'this mint is not signed for';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER mint_transactions_are_wanted BEFORE INSERT ON mint_transactions
  FOR EACH ROW EXECUTE FUNCTION mint_transactions_are_wanted();

CREATE OR REPLACE FUNCTION deposit_authors_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'who wrote a deposit has written it';
END $$;
CREATE OR REPLACE TRIGGER deposit_authors_stay BEFORE UPDATE OR DELETE ON deposit_authors FOR EACH ROW EXECUTE FUNCTION deposit_authors_stay();
CREATE OR REPLACE TRIGGER deposit_authors_stay_all BEFORE TRUNCATE ON deposit_authors FOR EACH STATEMENT EXECUTE FUNCTION deposit_authors_stay();

CREATE OR REPLACE FUNCTION deposits_have_institutions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO institutions (address, created_at, updated_at) VALUES (NEW.user_address, NEW.created_at, NEW.created_at)
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER deposits_have_institutions AFTER INSERT OR UPDATE OF user_address ON deposits
  FOR EACH ROW EXECUTE FUNCTION deposits_have_institutions();

-- Whoever steps a mint on needs no right to who wrote what: the signer has none.
CREATE OR REPLACE FUNCTION deposits_have_authors() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO deposit_authors (deposit_id, administrator_id, network, txid, vout)
    SELECT DISTINCT NEW.id, author, NEW.network, NEW.txid, NEW.vout FROM unnest(ARRAY[NEW.created_by, NEW.modified_by]) AS author
      WHERE author IS NOT NULL
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER deposits_have_authors AFTER INSERT OR UPDATE ON deposits FOR EACH ROW EXECUTE FUNCTION deposits_have_authors();

-- The ledger is append-only. What an administrator's removal or an import's end writes into its references is not the entry.
CREATE OR REPLACE FUNCTION points_are_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF (NEW.id, NEW.address, NEW.berries, NEW.reason, NEW.source, NEW.reverses, NEW.import_id, NEW.import_line, NEW.administrator_email, NEW.created_at)
      IS NOT DISTINCT FROM
      (OLD.id, OLD.address, OLD.berries, OLD.reason, OLD.source, OLD.reverses, OLD.import_id, OLD.import_line, OLD.administrator_email, OLD.created_at)
      AND NEW.administrator_id IS NULL THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'the points ledger is append-only';
END $$;
CREATE OR REPLACE TRIGGER points_are_final BEFORE UPDATE OR DELETE ON points FOR EACH ROW EXECUTE FUNCTION points_are_final();
CREATE OR REPLACE TRIGGER points_are_not_emptied BEFORE TRUNCATE ON points FOR EACH STATEMENT EXECUTE FUNCTION points_are_final();

-- The table of a month of visits. A table that was detached is not attached again.
CREATE OR REPLACE FUNCTION visits_make_month(month date) RETURNS void LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  name text := 'visits_' || to_char(month, 'YYYY_MM');
BEGIN
  PERFORM pg_advisory_xact_lock(42800019);
  IF to_regclass(name) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE visits INCLUDING ALL)', name);
  -- CREATE TABLE … PARTITION OF would lock out readers and writers.
  EXECUTE format('ALTER TABLE visits ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name,
    month::timestamp AT TIME ZONE 'UTC', (month + interval '1 month')::timestamp AT TIME ZONE 'UTC');
END $$;

-- Takes a month out of visits. Its table stays.
CREATE OR REPLACE FUNCTION visits_detach_month(month date) RETURNS void LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  EXECUTE format('ALTER TABLE visits DETACH PARTITION %I', 'visits_' || to_char(month, 'YYYY_MM'));
END $$;

REVOKE EXECUTE ON FUNCTION visits_make_month(date), visits_detach_month(date) FROM PUBLIC;

CREATE OR REPLACE FUNCTION overview_days_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a day of the overview that was taken is never changed';
END $$;
CREATE OR REPLACE TRIGGER overview_days_stay BEFORE UPDATE OR DELETE ON overview_days FOR EACH ROW EXECUTE FUNCTION overview_days_stay();
CREATE OR REPLACE TRIGGER overview_days_stay_all BEFORE TRUNCATE ON overview_days FOR EACH STATEMENT EXECUTE FUNCTION overview_days_stay();
