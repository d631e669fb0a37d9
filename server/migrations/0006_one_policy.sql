DROP TABLE "deposit_approvals" CASCADE;--> statement-breakpoint
DROP TABLE "mint_policies" CASCADE;--> statement-breakpoint
ALTER TABLE "deposits" ADD COLUMN "statement" text;