CREATE TABLE "arrivals" (
	"resource" text NOT NULL,
	"shard" integer NOT NULL,
	"value" bigint NOT NULL,
	CONSTRAINT "arrivals_resource_shard_pk" PRIMARY KEY("resource","shard")
);
--> statement-breakpoint
DROP INDEX "feedback_email";--> statement-breakpoint
CREATE INDEX "feedback_email_grams" ON "feedback" USING gin (text_grams("email"));