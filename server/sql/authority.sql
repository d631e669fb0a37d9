CREATE OR REPLACE FUNCTION authority_lines_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the authority log is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE OR REPLACE TRIGGER authority_lines_stay BEFORE UPDATE OR DELETE ON authority_lines FOR EACH ROW EXECUTE FUNCTION authority_lines_stay();
CREATE OR REPLACE TRIGGER authority_lines_stay_all BEFORE TRUNCATE ON authority_lines FOR EACH STATEMENT EXECUTE FUNCTION authority_lines_stay();
