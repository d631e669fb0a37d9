-- version: 1.1.0
CREATE TABLE "exports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"administrator_id" uuid NOT NULL,
	"administrator_email" text NOT NULL,
	"list" text NOT NULL,
	"format" text NOT NULL,
	"input" text NOT NULL,
	"through" bigint NOT NULL,
	"state" text NOT NULL,
	"problem" text,
	"total" integer NOT NULL,
	"written" integer DEFAULT 0 NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"runner" uuid,
	"leased_until" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	CONSTRAINT "exports_counts" CHECK ("exports"."written" >= 0 and "exports"."bytes" >= 0)
);
--> statement-breakpoint
CREATE TABLE "export_parts" (
	"export_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "export_parts_export_id_number_pk" PRIMARY KEY("export_id","number")
);
--> statement-breakpoint
ALTER TABLE "exports" ADD CONSTRAINT "exports_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "export_parts" ADD CONSTRAINT "export_parts_export_id_exports_id_fk" FOREIGN KEY ("export_id") REFERENCES "public"."exports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "exports_person" ON "exports" USING btree ("administrator_id","created_at","id");--> statement-breakpoint
CREATE INDEX "exports_state" ON "exports" USING btree ("state","leased_until");