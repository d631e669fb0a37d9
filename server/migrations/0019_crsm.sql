CREATE TABLE "crsm_calls" (
	"id" uuid PRIMARY KEY NOT NULL,
	"action" text NOT NULL,
	"crsm" text,
	"state" text DEFAULT 'prepared' NOT NULL,
	"chain_id" integer NOT NULL,
	"from_address" text NOT NULL,
	"to_address" text NOT NULL,
	"data" text NOT NULL,
	"function_name" text NOT NULL,
	"args" text NOT NULL,
	"block" bigint NOT NULL,
	"hash" text,
	"sent_at" timestamp (3) with time zone,
	"administrator_id" uuid,
	"administrator_email" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "crsm_events" (
	"id" text PRIMARY KEY NOT NULL,
	"crsm" text,
	"trove" text,
	"name" text NOT NULL,
	"args" text NOT NULL,
	"hash" text NOT NULL,
	"log_index" integer NOT NULL,
	"block" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "crsm_events_whose" CHECK (("crsm_events"."crsm" is null) <> ("crsm_events"."trove" is null))
);
--> statement-breakpoint
CREATE TABLE "crsms" (
	"address" text PRIMARY KEY NOT NULL,
	"token_id" numeric(78, 0) NOT NULL,
	"trove_manager" text NOT NULL,
	"trove_id" numeric(78, 0) NOT NULL,
	"owner" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"collateral" numeric(78, 0) DEFAULT 0 NOT NULL,
	"debt" numeric(78, 0) DEFAULT 0 NOT NULL,
	"interest" numeric(78, 0) DEFAULT 0 NOT NULL,
	"total_debt" numeric(78, 0) DEFAULT 0 NOT NULL,
	"icr" numeric(78, 0) DEFAULT 0 NOT NULL,
	"liquidation_price" numeric(78, 0) DEFAULT 0 NOT NULL,
	"mcr" numeric(78, 0) DEFAULT 0 NOT NULL,
	"price" numeric(78, 0) DEFAULT 0 NOT NULL,
	"block" bigint,
	"read_at" timestamp (3) with time zone,
	"trgcr" numeric(78, 0) DEFAULT 0 NOT NULL,
	"tarcr" numeric(78, 0) DEFAULT 0 NOT NULL,
	"max_tarcr" numeric(78, 0) DEFAULT 0 NOT NULL,
	"debt_gas_compensation" numeric(78, 0) DEFAULT 0 NOT NULL,
	"pending_debt_gas_compensation" numeric(78, 0) DEFAULT 0 NOT NULL,
	"deadline" timestamp (3) with time zone,
	"deposits" numeric(78, 0) DEFAULT 0 NOT NULL,
	"yield_gains" numeric(78, 0) DEFAULT 0 NOT NULL,
	"debt_token_balance" numeric(78, 0) DEFAULT 0 NOT NULL,
	"collateral_gains" text DEFAULT '[]' NOT NULL,
	"distance" numeric(78, 0) DEFAULT 0 NOT NULL,
	"is_troves_owner" boolean DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE TABLE "troves" (
	"id" text PRIMARY KEY NOT NULL,
	"trove_manager" text NOT NULL,
	"trove_id" numeric(78, 0) NOT NULL,
	"owner" text NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"collateral" numeric(78, 0) DEFAULT 0 NOT NULL,
	"debt" numeric(78, 0) DEFAULT 0 NOT NULL,
	"interest" numeric(78, 0) DEFAULT 0 NOT NULL,
	"total_debt" numeric(78, 0) DEFAULT 0 NOT NULL,
	"icr" numeric(78, 0) DEFAULT 0 NOT NULL,
	"liquidation_price" numeric(78, 0) DEFAULT 0 NOT NULL,
	"mcr" numeric(78, 0) DEFAULT 0 NOT NULL,
	"price" numeric(78, 0) DEFAULT 0 NOT NULL,
	"block" bigint,
	"read_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "crsm_calls" ADD CONSTRAINT "crsm_calls_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "crsm_calls_crsm" ON "crsm_calls" USING btree ("crsm","created_at");--> statement-breakpoint
CREATE INDEX "crsm_calls_open" ON "crsm_calls" USING btree ("created_at") WHERE "crsm_calls"."state" in ('prepared', 'sent', 'lost');--> statement-breakpoint
CREATE UNIQUE INDEX "crsm_calls_outcome" ON "crsm_calls" USING btree ("hash") WHERE "crsm_calls"."state" in ('done', 'failed');--> statement-breakpoint
CREATE INDEX "crsm_events_crsm" ON "crsm_events" USING btree ("crsm","block","log_index");--> statement-breakpoint
CREATE INDEX "crsm_events_trove" ON "crsm_events" USING btree ("trove","block","log_index");--> statement-breakpoint
CREATE INDEX "crsm_events_block" ON "crsm_events" USING btree ("block");--> statement-breakpoint
CREATE INDEX "crsm_events_name" ON "crsm_events" USING btree ("name","crsm","block","log_index");--> statement-breakpoint
CREATE INDEX "crsms_distance" ON "crsms" USING btree ("distance","address");--> statement-breakpoint
CREATE INDEX "crsms_collateral" ON "crsms" USING btree ("collateral","address");--> statement-breakpoint
CREATE INDEX "crsms_debt" ON "crsms" USING btree ("total_debt","address");--> statement-breakpoint
CREATE INDEX "crsms_icr" ON "crsms" USING btree ("icr","address");--> statement-breakpoint
CREATE INDEX "crsms_deposits" ON "crsms" USING btree ("deposits","address");--> statement-breakpoint
CREATE INDEX "crsms_created" ON "crsms" USING btree ("created_at","address");--> statement-breakpoint
CREATE INDEX "crsms_owner" ON "crsms" USING btree ("owner");--> statement-breakpoint
CREATE INDEX "crsms_trove" ON "crsms" USING btree ("trove_id","trove_manager");--> statement-breakpoint
CREATE INDEX "crsms_address_start" ON "crsms" USING btree (lower("address") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "crsms_owner_start" ON "crsms" USING btree (lower("owner") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "troves_icr" ON "troves" USING btree ("icr","id");--> statement-breakpoint
CREATE INDEX "troves_collateral" ON "troves" USING btree ("collateral","id");--> statement-breakpoint
CREATE INDEX "troves_debt" ON "troves" USING btree ("total_debt","id");--> statement-breakpoint
CREATE INDEX "troves_opened" ON "troves" USING btree ("opened_at","id");--> statement-breakpoint
CREATE INDEX "troves_owner" ON "troves" USING btree ("owner");--> statement-breakpoint
CREATE INDEX "troves_trove" ON "troves" USING btree ("trove_id");--> statement-breakpoint
CREATE INDEX "troves_owner_start" ON "troves" USING btree (lower("owner") text_pattern_ops);