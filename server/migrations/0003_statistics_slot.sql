-- version: 1.1.0
CREATE TABLE "statistics_databases" (
	"place" text PRIMARY KEY NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "visit_days" ADD COLUMN "slot" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "visit_deltas" ADD COLUMN "slot" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "visit_hour_sums" ADD COLUMN "slot" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "visit_hours" ADD COLUMN "slot" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "visits" ADD COLUMN "slot" integer DEFAULT 0 NOT NULL;