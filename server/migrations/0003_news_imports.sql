CREATE TABLE "news_changes" (
	"shard" integer PRIMARY KEY NOT NULL,
	"value" bigint NOT NULL
);
--> statement-breakpoint
DROP INDEX "pictures_sha256";--> statement-breakpoint
ALTER TABLE "news" ADD COLUMN "feed_item_id" uuid;--> statement-breakpoint
ALTER TABLE "news" ADD COLUMN "imported_link" text;--> statement-breakpoint
CREATE INDEX "news_shown_created" ON "news" USING btree ("shown","created_at","id");--> statement-breakpoint
ALTER TABLE "news" ADD CONSTRAINT "news_feed_item_id_unique" UNIQUE("feed_item_id");--> statement-breakpoint
ALTER TABLE "news" ADD CONSTRAINT "news_imported_link_unique" UNIQUE("imported_link");--> statement-breakpoint
ALTER TABLE "pictures" ADD CONSTRAINT "pictures_sha256_unique" UNIQUE("sha256");