CREATE TABLE "deposit_authors" (
	"deposit_id" uuid NOT NULL,
	"administrator_id" uuid NOT NULL,
	"network" text NOT NULL,
	"txid" text NOT NULL,
	"vout" integer NOT NULL,
	CONSTRAINT "deposit_authors_deposit_id_administrator_id_network_txid_vout_pk" PRIMARY KEY("deposit_id","administrator_id","network","txid","vout")
);
--> statement-breakpoint
CREATE INDEX "deposit_authors_output" ON "deposit_authors" USING btree ("txid","vout","network");
--> statement-breakpoint
INSERT INTO deposit_authors SELECT id, created_by, network, txid, vout FROM deposits WHERE created_by IS NOT NULL
  UNION SELECT id, modified_by, network, txid, vout FROM deposits WHERE modified_by IS NOT NULL;
--> statement-breakpoint
CREATE FUNCTION deposits_have_authors() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO deposit_authors (deposit_id, administrator_id, network, txid, vout)
    SELECT DISTINCT NEW.id, author, NEW.network, NEW.txid, NEW.vout FROM unnest(ARRAY[NEW.created_by, NEW.modified_by]) AS author
      WHERE author IS NOT NULL
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER deposits_have_authors AFTER INSERT OR UPDATE ON deposits FOR EACH ROW EXECUTE FUNCTION deposits_have_authors();
--> statement-breakpoint
CREATE FUNCTION deposit_authors_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'who wrote a deposit has written it';
END $$;
--> statement-breakpoint
CREATE TRIGGER deposit_authors_stay BEFORE UPDATE OR DELETE ON deposit_authors FOR EACH ROW EXECUTE FUNCTION deposit_authors_stay();
--> statement-breakpoint
CREATE TRIGGER deposit_authors_stay_all BEFORE TRUNCATE ON deposit_authors FOR EACH STATEMENT EXECUTE FUNCTION deposit_authors_stay();
