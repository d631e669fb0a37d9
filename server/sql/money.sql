-- A closed deposit stays closed, because its output may be recorded again.
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

-- A canceled mint can only be closed or found final.
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

-- SECURITY DEFINER, because the signer has no permission on authors.
CREATE OR REPLACE FUNCTION deposits_have_authors() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO deposit_authors (deposit_id, administrator_id, network, txid, vout)
    SELECT DISTINCT NEW.id, author, NEW.network, NEW.txid, NEW.vout FROM unnest(ARRAY[NEW.created_by, NEW.modified_by]) AS author
      WHERE author IS NOT NULL
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER deposits_have_authors AFTER INSERT OR UPDATE ON deposits FOR EACH ROW EXECUTE FUNCTION deposits_have_authors();
