-- version: 1.1.0
CREATE TABLE "identity_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"administrator_id" uuid NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"email" text,
	"origin" text NOT NULL,
	"linked_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "identity_links_subject_length" CHECK (char_length("identity_links"."subject") between 1 and 255)
);
--> statement-breakpoint
CREATE TABLE "link_invitations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"administrator_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"invited_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "link_invitations_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "sso_configuration" (
	"id" integer PRIMARY KEY NOT NULL,
	"issuer" text NOT NULL,
	"client_id" text NOT NULL,
	"subject_claim" text NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sso_configuration_one" CHECK ("sso_configuration"."id" = 1)
);
--> statement-breakpoint
ALTER TABLE "account_changes" DROP CONSTRAINT "account_changes_what";--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "link_id" uuid;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "idp_session" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "sso_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "id_token" text;--> statement-breakpoint
ALTER TABLE "identity_links" ADD CONSTRAINT "identity_links_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity_links" ADD CONSTRAINT "identity_links_linked_by_administrators_id_fk" FOREIGN KEY ("linked_by") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_invitations" ADD CONSTRAINT "link_invitations_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_invitations" ADD CONSTRAINT "link_invitations_invited_by_administrators_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."administrators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "identity_links_subject" ON "identity_links" USING btree ("issuer","subject");--> statement-breakpoint
CREATE UNIQUE INDEX "identity_links_account" ON "identity_links" USING btree ("administrator_id","issuer");--> statement-breakpoint
CREATE INDEX "link_invitations_administrator" ON "link_invitations" USING btree ("administrator_id");--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_link_id_identity_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."identity_links"("id") ON DELETE set null ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "account_changes" ADD CONSTRAINT "account_changes_what" CHECK ("account_changes"."what" in ('created', 'enabled', 'email', 'roles', 'rights', 'password', 'factor', 'wallet', 'linked')) NOT VALID;