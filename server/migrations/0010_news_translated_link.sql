-- version: 1.1.0
CREATE INDEX CONCURRENTLY IF NOT EXISTS "news_translated_link" ON "news" USING btree ("translated_link") WHERE "news"."translated_link" is not null;
