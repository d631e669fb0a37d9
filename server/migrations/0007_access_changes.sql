CREATE TABLE "access_changes" (
	"id" integer PRIMARY KEY NOT NULL,
	"value" bigint NOT NULL,
	CONSTRAINT "access_changes_one" CHECK ("access_changes"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "seeded" (
	"key" text PRIMARY KEY NOT NULL
);
