CREATE TABLE "institutions" (
	"address" text PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "money_freezes" ADD COLUMN "supply_off" numeric(78, 0) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "money_freezes" ADD COLUMN "ledger_off" numeric(78, 0) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "money_freezes" ADD COLUMN "standing" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "institutions_created" ON "institutions" USING btree ("created_at","address");--> statement-breakpoint
CREATE INDEX "institutions_name" ON "institutions" USING btree ("name","address");--> statement-breakpoint
CREATE INDEX "institutions_address_start" ON "institutions" USING btree (lower("address") text_pattern_ops);--> statement-breakpoint
CREATE FUNCTION deposits_have_institutions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO institutions (address, created_at, updated_at) VALUES (NEW.user_address, NEW.created_at, NEW.created_at)
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER deposits_have_institutions AFTER INSERT OR UPDATE OF user_address ON deposits
  FOR EACH ROW EXECUTE FUNCTION deposits_have_institutions();
--> statement-breakpoint
INSERT INTO institutions (address, created_at, updated_at)
  SELECT user_address, min(created_at), min(created_at) FROM deposits GROUP BY user_address ON CONFLICT DO NOTHING;
