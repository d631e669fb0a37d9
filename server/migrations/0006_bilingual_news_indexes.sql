-- version: 1.1.0
CREATE INDEX CONCURRENTLY IF NOT EXISTS "news_translated_title_grams" ON "news" USING gin (text_grams("translated_title"));--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "news_coverage" ON "news" USING btree ((case when "translated_title" is not null then 'both' when "language" is not null then "language" when "title" ~ '[\u4e00-\u9fff]' or "description" ~ '[\u4e00-\u9fff]' then 'zh-CN' else 'en-US' end),"time","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "news_starts" ON "news" USING btree ("starts_at") WHERE "news"."shown";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "news_ends" ON "news" USING btree ("ends_at") WHERE "news"."shown";