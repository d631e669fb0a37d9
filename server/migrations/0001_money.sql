CREATE TABLE "alarm_cursors" (
	"name" text PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alarm_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"alarm_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"leased_until" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "alarm_subjects" (
	"key" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"alarm_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alarms" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"lines" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deposit_authors" (
	"deposit_id" uuid NOT NULL,
	"administrator_id" uuid NOT NULL,
	"network" text NOT NULL,
	"txid" text NOT NULL,
	"vout" integer NOT NULL,
	CONSTRAINT "deposit_authors_deposit_id_administrator_id_network_txid_vout_pk" PRIMARY KEY("deposit_id","administrator_id","network","txid","vout")
);
--> statement-breakpoint
CREATE TABLE "account_changes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"administrator_id" uuid NOT NULL,
	"changed_by" uuid,
	"what" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "account_changes_what" CHECK ("account_changes"."what" in ('created', 'enabled', 'email', 'roles', 'rights', 'password', 'factor', 'wallet'))
);
--> statement-breakpoint
CREATE TABLE "bridge_refunds" (
	"chain_id" integer NOT NULL,
	"bridge" text NOT NULL,
	"nonce" integer NOT NULL,
	"src_hash" text NOT NULL,
	"from_address" text NOT NULL,
	"receiver" text NOT NULL,
	"amount" numeric(78, 0) NOT NULL,
	"request_hash" text,
	"block" bigint,
	"withdrawal_id" uuid,
	"freeze_id" uuid,
	"alarming" boolean DEFAULT false NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bridge_refunds_chain_id_bridge_nonce_pk" PRIMARY KEY("chain_id","bridge","nonce")
);
--> statement-breakpoint
CREATE TABLE "refund_intents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"withdrawal_id" uuid NOT NULL,
	"deposit_id" uuid NOT NULL,
	"action" text NOT NULL,
	"chain_id" integer NOT NULL,
	"from_address" text NOT NULL,
	"to_address" text NOT NULL,
	"data" text NOT NULL,
	"receiver" text NOT NULL,
	"amount" bigint NOT NULL,
	"administrator_id" uuid,
	"administrator_email" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "deposits" DROP CONSTRAINT "deposits_output";--> statement-breakpoint
ALTER TABLE "mints" DROP CONSTRAINT "mints_deposit_hash_unique";--> statement-breakpoint
ALTER TABLE "withdrawals" DROP CONSTRAINT "withdrawals_nonce_unique";--> statement-breakpoint
DROP INDEX "money_freezes_open";--> statement-breakpoint
ALTER TABLE "money_freezes" ADD COLUMN "kind" text DEFAULT 'difference' NOT NULL;--> statement-breakpoint
ALTER TABLE "money_freezes" ADD COLUMN "opened_by" uuid;--> statement-breakpoint
ALTER TABLE "money_freezes" ADD COLUMN "opened_email" text;--> statement-breakpoint
ALTER TABLE "money_freezes" ADD COLUMN "opened_reason" text;--> statement-breakpoint
ALTER TABLE "mints" ADD COLUMN "token" text NOT NULL;--> statement-breakpoint
ALTER TABLE "mints" ADD COLUMN "bridge" text NOT NULL;--> statement-breakpoint
ALTER TABLE "mints" ADD COLUMN "sign_from" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "alarm_deliveries" ADD CONSTRAINT "alarm_deliveries_alarm_id_alarms_id_fk" FOREIGN KEY ("alarm_id") REFERENCES "public"."alarms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarm_subjects" ADD CONSTRAINT "alarm_subjects_alarm_id_alarms_id_fk" FOREIGN KEY ("alarm_id") REFERENCES "public"."alarms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_changes" ADD CONSTRAINT "account_changes_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_changes" ADD CONSTRAINT "account_changes_changed_by_administrators_id_fk" FOREIGN KEY ("changed_by") REFERENCES "public"."administrators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bridge_refunds" ADD CONSTRAINT "bridge_refunds_withdrawal_id_withdrawals_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bridge_refunds" ADD CONSTRAINT "bridge_refunds_freeze_id_money_freezes_id_fk" FOREIGN KEY ("freeze_id") REFERENCES "public"."money_freezes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_intents" ADD CONSTRAINT "refund_intents_withdrawal_id_withdrawals_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_intents" ADD CONSTRAINT "refund_intents_deposit_id_deposits_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_intents" ADD CONSTRAINT "refund_intents_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "alarm_deliveries_once" ON "alarm_deliveries" USING btree ("alarm_id","channel");--> statement-breakpoint
CREATE INDEX "alarm_deliveries_next" ON "alarm_deliveries" USING btree ("state","next_at");--> statement-breakpoint
CREATE INDEX "alarm_subjects_kind" ON "alarm_subjects" USING btree ("kind");--> statement-breakpoint
CREATE INDEX "alarms_at" ON "alarms" USING btree ("at");--> statement-breakpoint
CREATE INDEX "deposit_authors_output" ON "deposit_authors" USING btree ("txid","vout","network");--> statement-breakpoint
CREATE INDEX "account_changes_administrator" ON "account_changes" USING btree ("administrator_id","created_at");--> statement-breakpoint
CREATE INDEX "bridge_refunds_withdrawal" ON "bridge_refunds" USING btree ("withdrawal_id");--> statement-breakpoint
CREATE INDEX "bridge_refunds_alarming" ON "bridge_refunds" USING btree ("seen_at") WHERE "bridge_refunds"."alarming" and "bridge_refunds"."freeze_id" is null;--> statement-breakpoint
CREATE INDEX "refund_intents_withdrawal" ON "refund_intents" USING btree ("withdrawal_id","action");--> statement-breakpoint
ALTER TABLE "money_freezes" ADD CONSTRAINT "money_freezes_opened_by_administrators_id_fk" FOREIGN KEY ("opened_by") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "deposits_output" ON "deposits" USING btree ("network","txid","vout") WHERE "deposits"."mint_status" <> 'closed';--> statement-breakpoint
CREATE UNIQUE INDEX "mints_deposit_hash" ON "mints" USING btree ("deposit_hash") WHERE "mints"."state" <> 'closed';--> statement-breakpoint
CREATE INDEX "withdrawals_nonce" ON "withdrawals" USING btree ("nonce");--> statement-breakpoint
CREATE UNIQUE INDEX "money_freezes_open" ON "money_freezes" USING btree ("kind") WHERE "money_freezes"."resolved_at" is null;
--> statement-breakpoint
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
