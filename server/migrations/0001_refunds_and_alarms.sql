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
ALTER TABLE "withdrawals" DROP CONSTRAINT "withdrawals_nonce_unique";--> statement-breakpoint
ALTER TABLE "alarm_deliveries" ADD CONSTRAINT "alarm_deliveries_alarm_id_alarms_id_fk" FOREIGN KEY ("alarm_id") REFERENCES "public"."alarms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarm_subjects" ADD CONSTRAINT "alarm_subjects_alarm_id_alarms_id_fk" FOREIGN KEY ("alarm_id") REFERENCES "public"."alarms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bridge_refunds" ADD CONSTRAINT "bridge_refunds_withdrawal_id_withdrawals_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bridge_refunds" ADD CONSTRAINT "bridge_refunds_freeze_id_money_freezes_id_fk" FOREIGN KEY ("freeze_id") REFERENCES "public"."money_freezes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_intents" ADD CONSTRAINT "refund_intents_withdrawal_id_withdrawals_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_intents" ADD CONSTRAINT "refund_intents_deposit_id_deposits_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_intents" ADD CONSTRAINT "refund_intents_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "alarm_deliveries_once" ON "alarm_deliveries" USING btree ("alarm_id","channel");--> statement-breakpoint
CREATE INDEX "alarm_deliveries_next" ON "alarm_deliveries" USING btree ("state","next_at");--> statement-breakpoint
CREATE INDEX "alarm_subjects_kind" ON "alarm_subjects" USING btree ("kind");--> statement-breakpoint
CREATE INDEX "alarms_at" ON "alarms" USING btree ("at");--> statement-breakpoint
CREATE INDEX "bridge_refunds_withdrawal" ON "bridge_refunds" USING btree ("withdrawal_id");--> statement-breakpoint
CREATE INDEX "bridge_refunds_alarming" ON "bridge_refunds" USING btree ("seen_at") WHERE "bridge_refunds"."alarming" and "bridge_refunds"."freeze_id" is null;--> statement-breakpoint
CREATE INDEX "refund_intents_withdrawal" ON "refund_intents" USING btree ("withdrawal_id","action");--> statement-breakpoint
CREATE INDEX "withdrawals_nonce" ON "withdrawals" USING btree ("nonce");