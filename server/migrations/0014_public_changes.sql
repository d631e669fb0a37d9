-- What the public sees of news was counted alone; now of each resource. The numbers go on: old tags must not come back.
ALTER TABLE "news_changes" RENAME TO "public_changes";--> statement-breakpoint
ALTER TABLE "public_changes" ADD COLUMN "resource" text DEFAULT 'news' NOT NULL;--> statement-breakpoint
ALTER TABLE "public_changes" ALTER COLUMN "resource" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "public_changes" DROP CONSTRAINT "news_changes_pkey";--> statement-breakpoint
ALTER TABLE "public_changes" ADD CONSTRAINT "public_changes_resource_shard_pk" PRIMARY KEY("resource","shard");--> statement-breakpoint
CREATE INDEX "notices_starts" ON "notices" USING btree ("starts_at") WHERE "notices"."shown";--> statement-breakpoint
CREATE INDEX "notices_ends" ON "notices" USING btree ("ends_at") WHERE "notices"."shown";
