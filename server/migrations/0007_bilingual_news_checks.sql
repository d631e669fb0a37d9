-- version: 1.1.0
ALTER TABLE "news" VALIDATE CONSTRAINT "news_language";--> statement-breakpoint
ALTER TABLE "news" VALIDATE CONSTRAINT "news_translation";--> statement-breakpoint
ALTER TABLE "news" VALIDATE CONSTRAINT "news_period";