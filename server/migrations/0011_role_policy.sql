-- version: 1.1.0
ALTER TABLE "roles" ADD COLUMN "networks" "cidr"[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "roles" ADD COLUMN "idle_minutes" integer;--> statement-breakpoint
ALTER TABLE "roles" ADD COLUMN "session_hours" integer;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "idle_minutes" integer;