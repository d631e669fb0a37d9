CREATE TABLE "import_files" (
	"import_id" uuid PRIMARY KEY NOT NULL,
	"content" "bytea" NOT NULL
);
--> statement-breakpoint
DROP INDEX "import_rows_issues";--> statement-breakpoint
ALTER TABLE "import_rows" ALTER COLUMN "issues" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "imports" ALTER COLUMN "total" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "imports" ALTER COLUMN "good" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "imports" ALTER COLUMN "bad" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "delimiter" text NOT NULL;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "headed" boolean NOT NULL;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "preview" text NOT NULL;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "worked" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "line" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "runner" uuid;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "started_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "ended_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "import_files" ADD CONSTRAINT "import_files_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_rows" DROP COLUMN "done";--> statement-breakpoint
ALTER TABLE "imports" DROP COLUMN "error";--> statement-breakpoint
ALTER TABLE "imports" DROP COLUMN "updated_at";--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_counts" CHECK ("imports"."imported" >= 0 and "imports"."imported" <= "imports"."worked" and "imports"."worked" <= "imports"."total");