CREATE TABLE "cobo_events" (
	"id" text PRIMARY KEY NOT NULL,
	"transaction" text NOT NULL,
	"said_at" bigint NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"outcome" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "cobo_events_transaction" ON "cobo_events" USING btree ("transaction","said_at");