-- version: 1.1.0
ALTER TABLE "news" ADD COLUMN "language" text;--> statement-breakpoint
ALTER TABLE "news" ADD COLUMN "translated_title" text;--> statement-breakpoint
ALTER TABLE "news" ADD COLUMN "translated_description" text;--> statement-breakpoint
ALTER TABLE "news" ADD COLUMN "translated_link" text;--> statement-breakpoint
ALTER TABLE "news" ADD COLUMN "starts_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "news" ADD COLUMN "ends_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "news" ADD CONSTRAINT "news_language" CHECK ("news"."language" in ('zh-CN', 'en-US')) NOT VALID;--> statement-breakpoint
ALTER TABLE "news" ADD CONSTRAINT "news_translation" CHECK (case when "news"."translated_title" is null then "news"."translated_description" is null and "news"."translated_link" is null else "news"."language" is not null and "news"."translated_description" is not null and length("news"."translated_title") between 1 and 200 end) NOT VALID;--> statement-breakpoint
ALTER TABLE "news" ADD CONSTRAINT "news_period" CHECK ("news"."starts_at" is null or "news"."ends_at" is null or "news"."starts_at" < "news"."ends_at") NOT VALID;