-- version: 1.1.0
CREATE TABLE "grantable_roles" (
	"role_id" uuid NOT NULL,
	"grantable_id" uuid NOT NULL,
	CONSTRAINT "grantable_roles_role_id_grantable_id_pk" PRIMARY KEY("role_id","grantable_id")
);
--> statement-breakpoint
ALTER TABLE "grantable_roles" ADD CONSTRAINT "grantable_roles_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grantable_roles" ADD CONSTRAINT "grantable_roles_grantable_id_roles_id_fk" FOREIGN KEY ("grantable_id") REFERENCES "public"."roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "grantable_roles_grantable" ON "grantable_roles" USING btree ("grantable_id");