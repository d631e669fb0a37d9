-- version: 1.1.0
CREATE TABLE "group_roles" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"source" text NOT NULL,
	"value" text NOT NULL,
	"role_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "provisioned" (
	"administrator_id" uuid PRIMARY KEY NOT NULL,
	"external_id" text,
	"user_name" text NOT NULL,
	"display_name" text DEFAULT '' NOT NULL,
	"formatted_name" text DEFAULT '' NOT NULL,
	"given_name" text DEFAULT '' NOT NULL,
	"family_name" text DEFAULT '' NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"email" text NOT NULL,
	"handed_over_by" uuid,
	"deactivated_at" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "provisioning_conflicts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"administrator_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"external_id" text,
	"user_name" text NOT NULL,
	"email" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "scim_group_members" (
	"group_id" uuid NOT NULL,
	"administrator_id" uuid NOT NULL,
	CONSTRAINT "scim_group_members_group_id_administrator_id_pk" PRIMARY KEY("group_id","administrator_id")
);
--> statement-breakpoint
CREATE TABLE "scim_groups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"external_id" text,
	"display_name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "service_tokens" ALTER COLUMN "service_account_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "account_changes" ADD COLUMN "by_idp" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "administrator_roles" ADD COLUMN "given_by" text DEFAULT 'panel' NOT NULL;--> statement-breakpoint
ALTER TABLE "administrators" ADD COLUMN "disabled_by" text;--> statement-breakpoint
ALTER TABLE "service_tokens" ADD COLUMN "kind" text DEFAULT 'svc' NOT NULL;--> statement-breakpoint
ALTER TABLE "group_roles" ADD CONSTRAINT "group_roles_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provisioned" ADD CONSTRAINT "provisioned_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provisioned" ADD CONSTRAINT "provisioned_handed_over_by_administrators_id_fk" FOREIGN KEY ("handed_over_by") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provisioning_conflicts" ADD CONSTRAINT "provisioning_conflicts_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_group_members" ADD CONSTRAINT "scim_group_members_group_id_scim_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."scim_groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_group_members" ADD CONSTRAINT "scim_group_members_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "group_roles_mapping" ON "group_roles" USING btree ("source","value","role_id");--> statement-breakpoint
CREATE INDEX "group_roles_role" ON "group_roles" USING btree ("role_id");--> statement-breakpoint
CREATE INDEX "group_roles_created" ON "group_roles" USING btree ("created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "provisioned_external_id" ON "provisioned" USING btree ("external_id");--> statement-breakpoint
CREATE UNIQUE INDEX "provisioned_user_name" ON "provisioned" USING btree (lower("user_name"));--> statement-breakpoint
CREATE INDEX "provisioned_created" ON "provisioned" USING btree ("created_at","administrator_id");--> statement-breakpoint
CREATE INDEX "provisioned_deactivated" ON "provisioned" USING btree ("deactivated_at");--> statement-breakpoint
CREATE UNIQUE INDEX "provisioning_conflicts_administrator" ON "provisioning_conflicts" USING btree ("administrator_id");--> statement-breakpoint
CREATE INDEX "provisioning_conflicts_last" ON "provisioning_conflicts" USING btree ("last_at");--> statement-breakpoint
CREATE INDEX "scim_group_members_administrator" ON "scim_group_members" USING btree ("administrator_id");--> statement-breakpoint
CREATE UNIQUE INDEX "scim_groups_external_id" ON "scim_groups" USING btree ("external_id");--> statement-breakpoint
CREATE UNIQUE INDEX "scim_groups_display_name" ON "scim_groups" USING btree (lower("display_name"));--> statement-breakpoint
CREATE INDEX "scim_groups_created" ON "scim_groups" USING btree ("created_at","id");--> statement-breakpoint
ALTER TABLE "administrator_roles" DROP CONSTRAINT "administrator_roles_administrator_id_role_id_pk";
--> statement-breakpoint
ALTER TABLE "administrator_roles" ADD CONSTRAINT "administrator_roles_administrator_id_role_id_pk" PRIMARY KEY("administrator_id","role_id","given_by");--> statement-breakpoint
ALTER TABLE "service_tokens" ADD CONSTRAINT "service_tokens_kind" CHECK (("service_tokens"."kind" = 'scim') = ("service_tokens"."service_account_id" is null)) NOT VALID;