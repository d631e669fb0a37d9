ALTER TABLE "deposits" DROP CONSTRAINT "deposits_output";--> statement-breakpoint
ALTER TABLE "mints" DROP CONSTRAINT "mints_deposit_hash_unique";--> statement-breakpoint
DROP INDEX "money_freezes_open";--> statement-breakpoint
-- Of mints from before nobody knows it: the server then says so and does not start.
ALTER TABLE "mints" ADD COLUMN "token" text NOT NULL DEFAULT '';--> statement-breakpoint
ALTER TABLE "mints" ALTER COLUMN "token" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "mints" ADD COLUMN "bridge" text NOT NULL DEFAULT '';--> statement-breakpoint
ALTER TABLE "mints" ALTER COLUMN "bridge" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "mints" ADD COLUMN "sign_from" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "money_freezes" ADD COLUMN "kind" text DEFAULT 'difference' NOT NULL;--> statement-breakpoint
ALTER TABLE "money_freezes" ADD COLUMN "opened_by" uuid;--> statement-breakpoint
ALTER TABLE "money_freezes" ADD COLUMN "opened_email" text;--> statement-breakpoint
ALTER TABLE "money_freezes" ADD COLUMN "opened_reason" text;--> statement-breakpoint
ALTER TABLE "money_freezes" ADD CONSTRAINT "money_freezes_opened_by_administrators_id_fk" FOREIGN KEY ("opened_by") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "deposits_output" ON "deposits" USING btree ("network","txid","vout") WHERE "deposits"."mint_status" <> 'closed';--> statement-breakpoint
CREATE UNIQUE INDEX "mints_deposit_hash" ON "mints" USING btree ("deposit_hash") WHERE "mints"."state" <> 'closed';--> statement-breakpoint
CREATE UNIQUE INDEX "money_freezes_open" ON "money_freezes" USING btree ("kind") WHERE "money_freezes"."resolved_at" is null;--> statement-breakpoint
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
--> statement-breakpoint
-- What a mint is for and where does not change. A cancelled one is only closed, or found to be final after all; a closed one stays.
CREATE OR REPLACE FUNCTION mints_are_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR (NEW.id, NEW.deposit_id, NEW.deposit_hash, NEW.chain_id, NEW.token, NEW.bridge, NEW.recipient, NEW.amount)
    IS DISTINCT FROM
    (OLD.id, OLD.deposit_id, OLD.deposit_hash, OLD.chain_id, OLD.token, OLD.bridge, OLD.recipient, OLD.amount) THEN
    RAISE EXCEPTION 'what a mint is for does not change';
  END IF;
  IF (OLD.state = 'closed' AND NEW.state <> 'closed') OR
    (OLD.state = 'cancelled' AND NEW.state NOT IN ('cancelled', 'closed', 'final')) THEN
    RAISE EXCEPTION 'a % mint does not go on', OLD.state;
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
-- Bytes are signed for a mint that waits for them, and for no other.
CREATE FUNCTION mint_transactions_are_wanted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM mints WHERE id = NEW.mint_id AND state IN ('queued', 'sent')) THEN
    RAISE EXCEPTION 'this mint is not signed for';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER mint_transactions_are_wanted BEFORE INSERT ON mint_transactions
  FOR EACH ROW EXECUTE FUNCTION mint_transactions_are_wanted();
