-- version: 1.1.0
ALTER TABLE "exports" VALIDATE CONSTRAINT "exports_service_account_id_service_accounts_id_fk";--> statement-breakpoint
ALTER TABLE "exports" VALIDATE CONSTRAINT "exports_token_id_service_tokens_id_fk";--> statement-breakpoint
ALTER TABLE "exports" VALIDATE CONSTRAINT "exports_starter";
