-- version: 1.1.0
ALTER TABLE "sessions" VALIDATE CONSTRAINT "sessions_link_id_identity_links_id_fk";--> statement-breakpoint
ALTER TABLE "account_changes" VALIDATE CONSTRAINT "account_changes_what";
