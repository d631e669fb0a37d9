CREATE TABLE "account_changes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"administrator_id" uuid NOT NULL,
	"changed_by" uuid,
	"what" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "account_changes_what" CHECK ("account_changes"."what" in ('created', 'enabled', 'email', 'roles', 'rights', 'password', 'factor', 'wallet'))
);
--> statement-breakpoint
ALTER TABLE "account_changes" ADD CONSTRAINT "account_changes_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_changes" ADD CONSTRAINT "account_changes_changed_by_administrators_id_fk" FOREIGN KEY ("changed_by") REFERENCES "public"."administrators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_changes_administrator" ON "account_changes" USING btree ("administrator_id","created_at");