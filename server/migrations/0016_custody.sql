CREATE TABLE "chain_cursors" (
	"name" text PRIMARY KEY NOT NULL,
	"block" bigint NOT NULL,
	"block_hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deposit_approvals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"deposit_id" uuid NOT NULL,
	"content_hash" text NOT NULL,
	"administrator_id" uuid NOT NULL,
	"administrator_email" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "deposit_approvals_one" UNIQUE("deposit_id","content_hash","administrator_id")
);
--> statement-breakpoint
CREATE TABLE "deposits" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"user_address" text NOT NULL,
	"amount" bigint NOT NULL,
	"cobo_address" text NOT NULL,
	"network" text NOT NULL,
	"txid" text NOT NULL,
	"vout" integer NOT NULL,
	"remarks" text DEFAULT '' NOT NULL,
	"type" text DEFAULT 'cobo' NOT NULL,
	"lock_time" timestamp (3) with time zone,
	"status" text DEFAULT 'created' NOT NULL,
	"mint_status" text DEFAULT 'none' NOT NULL,
	"withdraw_status" text DEFAULT 'default' NOT NULL,
	"created_by" uuid,
	"modified_by" uuid,
	"modified_email" text NOT NULL,
	"confirmed_by" uuid,
	"confirmed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "deposits_output" UNIQUE("network","txid","vout"),
	CONSTRAINT "deposits_amount_range" CHECK ("deposits"."amount" > 0 and "deposits"."amount" <= 2100000000000000),
	CONSTRAINT "deposits_txid" CHECK ("deposits"."txid" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "deposits_vout" CHECK ("deposits"."vout" >= 0),
	CONSTRAINT "deposits_minted_confirmed" CHECK ("deposits"."mint_status" = 'none' or "deposits"."status" = 'confirmed'),
	CONSTRAINT "deposits_two_people" CHECK ("deposits"."confirmed_by" is null or "deposits"."status" = 'confirmed')
);
--> statement-breakpoint
CREATE TABLE "mint_policies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"from_amount" bigint NOT NULL,
	"below_amount" bigint,
	"approvals" integer NOT NULL,
	"role_id" uuid,
	"per_day" bigint,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "mint_policies_from" UNIQUE("from_amount"),
	CONSTRAINT "mint_policies_range" CHECK ("mint_policies"."from_amount" >= 0 and ("mint_policies"."below_amount" is null or "mint_policies"."below_amount" > "mint_policies"."from_amount")),
	CONSTRAINT "mint_policies_approvals" CHECK ("mint_policies"."approvals" between 0 and 5)
);
--> statement-breakpoint
CREATE TABLE "mint_transactions" (
	"hash" text PRIMARY KEY NOT NULL,
	"mint_id" uuid NOT NULL,
	"nonce" integer NOT NULL,
	"raw" text NOT NULL,
	"max_fee_per_gas" numeric(78, 0) NOT NULL,
	"max_priority_fee_per_gas" numeric(78, 0) NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mints" (
	"id" uuid PRIMARY KEY NOT NULL,
	"deposit_id" uuid NOT NULL,
	"deposit_hash" text NOT NULL,
	"chain_id" integer NOT NULL,
	"recipient" text NOT NULL,
	"amount" numeric(78, 0) NOT NULL,
	"state" text NOT NULL,
	"nonce" integer,
	"hash" text,
	"block_number" bigint,
	"block_hash" text,
	"problem" text,
	"details" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"leased_until" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "mints_deposit_id_unique" UNIQUE("deposit_id"),
	CONSTRAINT "mints_deposit_hash_unique" UNIQUE("deposit_hash"),
	CONSTRAINT "mints_amount" CHECK ("mints"."amount" > 0 and "mints"."amount" <> 'NaN')
);
--> statement-breakpoint
CREATE TABLE "money_freezes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"figures" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"resolved_by" uuid,
	"reason" text
);
--> statement-breakpoint
CREATE TABLE "signer_nonces" (
	"chain_id" integer NOT NULL,
	"address" text NOT NULL,
	"next" integer NOT NULL,
	CONSTRAINT "signer_nonces_chain_id_address_pk" PRIMARY KEY("chain_id","address")
);
--> statement-breakpoint
CREATE TABLE "withdrawals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deposit_id" uuid NOT NULL,
	"address" text NOT NULL,
	"amount" bigint NOT NULL,
	"receiver" text NOT NULL,
	"txid" text NOT NULL,
	"status" text DEFAULT 'todo' NOT NULL,
	"nonce" integer,
	"request_hash" text,
	"confirm_hash" text,
	"cools_until" timestamp (3) with time zone,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "withdrawals_nonce_unique" UNIQUE("nonce"),
	CONSTRAINT "withdrawals_amount" CHECK ("withdrawals"."amount" > 0)
);
--> statement-breakpoint
ALTER TABLE "deposit_approvals" ADD CONSTRAINT "deposit_approvals_deposit_id_deposits_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposits"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposit_approvals" ADD CONSTRAINT "deposit_approvals_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposits" ADD CONSTRAINT "deposits_created_by_administrators_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposits" ADD CONSTRAINT "deposits_modified_by_administrators_id_fk" FOREIGN KEY ("modified_by") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposits" ADD CONSTRAINT "deposits_confirmed_by_administrators_id_fk" FOREIGN KEY ("confirmed_by") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mint_policies" ADD CONSTRAINT "mint_policies_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mint_transactions" ADD CONSTRAINT "mint_transactions_mint_id_mints_id_fk" FOREIGN KEY ("mint_id") REFERENCES "public"."mints"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mints" ADD CONSTRAINT "mints_deposit_id_deposits_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "money_freezes" ADD CONSTRAINT "money_freezes_resolved_by_administrators_id_fk" FOREIGN KEY ("resolved_by") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_deposit_id_deposits_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_created_by_administrators_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deposits_created" ON "deposits" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "deposits_status_created" ON "deposits" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "deposits_mint_created" ON "deposits" USING btree ("mint_status","created_at","id");--> statement-breakpoint
CREATE INDEX "deposits_user" ON "deposits" USING btree ("user_address","created_at","id");--> statement-breakpoint
CREATE INDEX "deposits_cobo" ON "deposits" USING btree ("cobo_address","created_at","id");--> statement-breakpoint
CREATE INDEX "deposits_amount" ON "deposits" USING btree ("amount","id");--> statement-breakpoint
CREATE INDEX "mint_transactions_mint" ON "mint_transactions" USING btree ("mint_id","created_at");--> statement-breakpoint
CREATE INDEX "mints_next" ON "mints" USING btree ("next_at") WHERE "mints"."state" in ('queued', 'signed', 'sent', 'mined');--> statement-breakpoint
CREATE UNIQUE INDEX "money_freezes_open" ON "money_freezes" USING btree ((true)) WHERE "money_freezes"."resolved_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "withdrawals_deposit_live" ON "withdrawals" USING btree ("deposit_id") WHERE "withdrawals"."status" <> 'canceled';--> statement-breakpoint
CREATE INDEX "withdrawals_created" ON "withdrawals" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "withdrawals_status_created" ON "withdrawals" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "withdrawals_address" ON "withdrawals" USING btree ("address","created_at","id");--> statement-breakpoint
-- What was confirmed is what is minted: nothing of it changes afterwards, and none of it goes.
CREATE FUNCTION deposits_are_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status = 'confirmed' AND (TG_OP = 'DELETE' OR
    (NEW.status, NEW.user_address, NEW.amount, NEW.cobo_address, NEW.network, NEW.txid, NEW.vout, NEW.type, NEW.lock_time)
    IS DISTINCT FROM
    (OLD.status, OLD.user_address, OLD.amount, OLD.cobo_address, OLD.network, OLD.txid, OLD.vout, OLD.type, OLD.lock_time)) THEN
    RAISE EXCEPTION 'a confirmed deposit is final';
  END IF;
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;
--> statement-breakpoint
CREATE TRIGGER deposits_are_final BEFORE UPDATE OR DELETE ON deposits FOR EACH ROW EXECUTE FUNCTION deposits_are_final();
--> statement-breakpoint
CREATE FUNCTION mints_are_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR (NEW.id, NEW.deposit_id, NEW.deposit_hash, NEW.chain_id, NEW.recipient, NEW.amount)
    IS DISTINCT FROM (OLD.id, OLD.deposit_id, OLD.deposit_hash, OLD.chain_id, OLD.recipient, OLD.amount) THEN
    RAISE EXCEPTION 'what a mint is for does not change';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER mints_are_final BEFORE UPDATE OR DELETE ON mints FOR EACH ROW EXECUTE FUNCTION mints_are_final();
--> statement-breakpoint
CREATE FUNCTION mint_transactions_are_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a signed transaction is kept as it is';
END $$;
--> statement-breakpoint
CREATE TRIGGER mint_transactions_are_kept BEFORE UPDATE OR DELETE ON mint_transactions
  FOR EACH ROW EXECUTE FUNCTION mint_transactions_are_kept();
