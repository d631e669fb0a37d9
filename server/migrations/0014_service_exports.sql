-- version: 1.1.0
ALTER TABLE "exports" ALTER COLUMN "administrator_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "exports" ADD COLUMN "service_account_id" uuid;--> statement-breakpoint
ALTER TABLE "exports" ADD COLUMN "token_id" uuid;--> statement-breakpoint
ALTER TABLE "exports" ADD CONSTRAINT "exports_service_account_id_service_accounts_id_fk" FOREIGN KEY ("service_account_id") REFERENCES "public"."service_accounts"("id") ON DELETE cascade ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "exports" ADD CONSTRAINT "exports_token_id_service_tokens_id_fk" FOREIGN KEY ("token_id") REFERENCES "public"."service_tokens"("id") ON DELETE cascade ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "exports" ADD CONSTRAINT "exports_starter" CHECK (num_nonnulls("exports"."administrator_id", "exports"."service_account_id") = 1 and ("exports"."service_account_id" is null) = ("exports"."token_id" is null)) NOT VALID;