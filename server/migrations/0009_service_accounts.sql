-- version: 1.1.0
CREATE TABLE "service_account_owners" (
	"service_account_id" uuid NOT NULL,
	"administrator_id" uuid NOT NULL,
	CONSTRAINT "service_account_owners_service_account_id_administrator_id_pk" PRIMARY KEY("service_account_id","administrator_id")
);
--> statement-breakpoint
CREATE TABLE "service_accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"ownerless_at" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "service_token_nodes" (
	"token_id" uuid NOT NULL,
	"node_id" uuid NOT NULL,
	CONSTRAINT "service_token_nodes_token_id_node_id_pk" PRIMARY KEY("token_id","node_id")
);
--> statement-breakpoint
CREATE TABLE "service_tokens" (
	"id" uuid PRIMARY KEY NOT NULL,
	"service_account_id" uuid NOT NULL,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"last_four" text NOT NULL,
	"networks" "cidr"[] NOT NULL,
	"created_by" uuid,
	"creator_email" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"last_ip" text,
	"used_from" text[] DEFAULT '{}' NOT NULL,
	"expiry_notice" integer,
	"revoked_at" timestamp (3) with time zone,
	"revoked_by" text,
	"revoked_reason" text,
	"replaced_by" uuid,
	"late_use_at" timestamp (3) with time zone,
	CONSTRAINT "service_tokens_hash_unique" UNIQUE("hash"),
	CONSTRAINT "service_tokens_hash" CHECK ("service_tokens"."hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "service_tokens_revoked" CHECK (("service_tokens"."revoked_at" is null) = ("service_tokens"."revoked_reason" is null))
);
--> statement-breakpoint
ALTER TABLE "service_account_owners" ADD CONSTRAINT "service_account_owners_service_account_id_service_accounts_id_fk" FOREIGN KEY ("service_account_id") REFERENCES "public"."service_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_account_owners" ADD CONSTRAINT "service_account_owners_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_token_nodes" ADD CONSTRAINT "service_token_nodes_token_id_service_tokens_id_fk" FOREIGN KEY ("token_id") REFERENCES "public"."service_tokens"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_token_nodes" ADD CONSTRAINT "service_token_nodes_node_id_permission_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."permission_nodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_tokens" ADD CONSTRAINT "service_tokens_service_account_id_service_accounts_id_fk" FOREIGN KEY ("service_account_id") REFERENCES "public"."service_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_tokens" ADD CONSTRAINT "service_tokens_created_by_administrators_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_tokens" ADD CONSTRAINT "service_tokens_replaced_by_service_tokens_id_fk" FOREIGN KEY ("replaced_by") REFERENCES "public"."service_tokens"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "service_account_owners_administrator" ON "service_account_owners" USING btree ("administrator_id");--> statement-breakpoint
CREATE UNIQUE INDEX "service_accounts_name_live" ON "service_accounts" USING btree ("name") WHERE "service_accounts"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "service_accounts_name" ON "service_accounts" USING btree ("name","id");--> statement-breakpoint
CREATE INDEX "service_accounts_created" ON "service_accounts" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "service_token_nodes_node" ON "service_token_nodes" USING btree ("node_id");--> statement-breakpoint
CREATE INDEX "service_tokens_account" ON "service_tokens" USING btree ("service_account_id","created_at");--> statement-breakpoint
CREATE INDEX "service_tokens_expires" ON "service_tokens" USING btree ("expires_at");