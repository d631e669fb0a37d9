CREATE OR REPLACE FUNCTION overview_days_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a day of the overview that was taken is never changed';
END $$;
CREATE OR REPLACE TRIGGER overview_days_stay BEFORE UPDATE OR DELETE ON overview_days FOR EACH ROW EXECUTE FUNCTION overview_days_stay();
CREATE OR REPLACE TRIGGER overview_days_stay_all BEFORE TRUNCATE ON overview_days FOR EACH STATEMENT EXECUTE FUNCTION overview_days_stay();
