-- version: 1.1.0
CREATE TABLE "command_history" (
	"administrator_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"entry" text NOT NULL,
	CONSTRAINT "command_history_administrator_id_id_pk" PRIMARY KEY("administrator_id","id")
);
--> statement-breakpoint
ALTER TABLE "command_history" ADD CONSTRAINT "command_history_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "command_history_person" ON "command_history" USING btree ("administrator_id","at");--> statement-breakpoint
CREATE INDEX "command_history_at" ON "command_history" USING btree ("at");