ALTER TABLE "pictures" ADD COLUMN "sent_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
CREATE INDEX "pictures_sent" ON "pictures" USING btree ("sent_at");--> statement-breakpoint
CREATE INDEX "pictures_person_created" ON "pictures" USING btree ("created_by","created_at");