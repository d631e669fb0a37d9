ALTER TABLE "administrators" DROP CONSTRAINT "administrators_email_unique";--> statement-breakpoint
CREATE UNIQUE INDEX "administrators_email_live" ON "administrators" USING btree ("email") WHERE "administrators"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "administrators_email" ON "administrators" USING btree ("email","id");--> statement-breakpoint
CREATE INDEX "administrators_created" ON "administrators" USING btree ("created_at","id");