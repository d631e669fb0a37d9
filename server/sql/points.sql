-- Deleting an administrator or import may clear references.
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
