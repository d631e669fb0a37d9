CREATE TABLE "airdrops" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"address" text NOT NULL,
	"berries" bigint NOT NULL,
	"nft_number" integer NOT NULL,
	"nft_level" integer NOT NULL,
	"stage" text NOT NULL,
	"import_id" uuid,
	"import_line" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "airdrops_import_line" UNIQUE("import_id","import_line"),
	CONSTRAINT "airdrops_counts" CHECK ("airdrops"."berries" >= 0 and "airdrops"."nft_number" >= 0 and "airdrops"."nft_level" >= 0)
);
--> statement-breakpoint
CREATE TABLE "feedback" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"email" text NOT NULL,
	"content" text NOT NULL,
	"processed" boolean DEFAULT false NOT NULL,
	"processed_at" timestamp (3) with time zone,
	"processed_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "feedback_lengths" CHECK (length("feedback"."content") between 1 and 5000 and length("feedback"."email") between 3 and 254),
	CONSTRAINT "feedback_processed" CHECK ("feedback"."processed" = ("feedback"."processed_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "feedback_pictures" (
	"feedback_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"picture_id" uuid NOT NULL,
	CONSTRAINT "feedback_pictures_feedback_id_position_pk" PRIMARY KEY("feedback_id","position"),
	CONSTRAINT "feedback_pictures_position" CHECK ("feedback_pictures"."position" between 0 and 2)
);
--> statement-breakpoint
CREATE TABLE "feedback_replies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"feedback_id" uuid NOT NULL,
	"content" text NOT NULL,
	"administrator_email" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "import_rows" (
	"import_id" uuid NOT NULL,
	"line" integer NOT NULL,
	"cells" text NOT NULL,
	"issues" text,
	"done" boolean DEFAULT false NOT NULL,
	CONSTRAINT "import_rows_import_id_line_pk" PRIMARY KEY("import_id","line")
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"sha256" text NOT NULL,
	"bytes" integer NOT NULL,
	"encoding" text NOT NULL,
	"head" text NOT NULL,
	"mapping" text NOT NULL,
	"state" text NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"good" integer DEFAULT 0 NOT NULL,
	"bad" integer DEFAULT 0 NOT NULL,
	"imported" integer DEFAULT 0 NOT NULL,
	"leased_until" timestamp (3) with time zone,
	"error" text,
	"administrator_id" uuid,
	"administrator_email" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"content" text NOT NULL,
	"link" text NOT NULL,
	"platform" text DEFAULT 'all' NOT NULL,
	"shown" boolean DEFAULT false NOT NULL,
	"starts_at" timestamp (3) with time zone,
	"ends_at" timestamp (3) with time zone,
	"created_by" uuid,
	"creator_email" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "notices_content_length" CHECK (length("notices"."content") between 1 and 1000),
	CONSTRAINT "notices_platform" CHECK ("notices"."platform" in ('all', 'desktop', 'mobile')),
	CONSTRAINT "notices_period" CHECK ("notices"."starts_at" is null or "notices"."ends_at" is null or "notices"."starts_at" < "notices"."ends_at")
);
--> statement-breakpoint
CREATE TABLE "point_balances" (
	"address" text PRIMARY KEY NOT NULL,
	"berries" bigint NOT NULL,
	"entries" integer NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "point_balances_positive" CHECK ("point_balances"."berries" >= 0)
);
--> statement-breakpoint
CREATE TABLE "points" (
	"id" uuid PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"berries" bigint NOT NULL,
	"reason" text NOT NULL,
	"source" text NOT NULL,
	"reverses" uuid,
	"import_id" uuid,
	"import_line" integer,
	"administrator_id" uuid,
	"administrator_email" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "points_reverses_unique" UNIQUE("reverses"),
	CONSTRAINT "points_import_line" UNIQUE("import_id","import_line"),
	CONSTRAINT "points_berries" CHECK ("points"."berries" <> 0),
	CONSTRAINT "points_reversal" CHECK (("points"."source" = 'reversal') = ("points"."reverses" is not null))
);
--> statement-breakpoint
ALTER TABLE "airdrops" ADD CONSTRAINT "airdrops_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feedback" ADD CONSTRAINT "feedback_processed_by_administrators_id_fk" FOREIGN KEY ("processed_by") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feedback_pictures" ADD CONSTRAINT "feedback_pictures_feedback_id_feedback_id_fk" FOREIGN KEY ("feedback_id") REFERENCES "public"."feedback"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feedback_pictures" ADD CONSTRAINT "feedback_pictures_picture_id_pictures_id_fk" FOREIGN KEY ("picture_id") REFERENCES "public"."pictures"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feedback_replies" ADD CONSTRAINT "feedback_replies_feedback_id_feedback_id_fk" FOREIGN KEY ("feedback_id") REFERENCES "public"."feedback"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_rows" ADD CONSTRAINT "import_rows_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_created_by_administrators_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "points" ADD CONSTRAINT "points_reverses_points_id_fk" FOREIGN KEY ("reverses") REFERENCES "public"."points"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "points" ADD CONSTRAINT "points_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "points" ADD CONSTRAINT "points_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "airdrops_created" ON "airdrops" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "airdrops_address" ON "airdrops" USING btree ("address","created_at","id");--> statement-breakpoint
CREATE INDEX "airdrops_berries" ON "airdrops" USING btree ("berries","id");--> statement-breakpoint
CREATE INDEX "airdrops_stage" ON "airdrops" USING btree ("stage","created_at","id");--> statement-breakpoint
CREATE INDEX "airdrops_level" ON "airdrops" USING btree ("nft_level","created_at","id");--> statement-breakpoint
CREATE INDEX "feedback_created" ON "feedback" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "feedback_processed_created" ON "feedback" USING btree ("processed","created_at","id");--> statement-breakpoint
CREATE INDEX "feedback_content_grams" ON "feedback" USING gin (text_grams("content"));--> statement-breakpoint
CREATE INDEX "feedback_email" ON "feedback" USING btree ("email","id");--> statement-breakpoint
CREATE INDEX "feedback_pictures_picture" ON "feedback_pictures" USING btree ("picture_id");--> statement-breakpoint
CREATE INDEX "feedback_replies_feedback" ON "feedback_replies" USING btree ("feedback_id","created_at");--> statement-breakpoint
CREATE INDEX "import_rows_issues" ON "import_rows" USING btree ("import_id","line") WHERE "import_rows"."issues" is not null;--> statement-breakpoint
CREATE INDEX "imports_kind_created" ON "imports" USING btree ("kind","created_at","id");--> statement-breakpoint
CREATE INDEX "imports_file" ON "imports" USING btree ("kind","sha256");--> statement-breakpoint
CREATE INDEX "imports_state" ON "imports" USING btree ("state","leased_until");--> statement-breakpoint
CREATE INDEX "notices_created" ON "notices" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "notices_updated" ON "notices" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX "notices_shown_created" ON "notices" USING btree ("shown","created_at","id");--> statement-breakpoint
CREATE INDEX "notices_content_grams" ON "notices" USING gin (text_grams("content"));--> statement-breakpoint
CREATE INDEX "point_balances_berries" ON "point_balances" USING btree ("berries","address");--> statement-breakpoint
CREATE INDEX "points_created" ON "points" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "points_address" ON "points" USING btree ("address","created_at","id");--> statement-breakpoint
CREATE INDEX "points_source_created" ON "points" USING btree ("source","created_at","id");--> statement-breakpoint
-- The ledger is append-only. What an administrator's removal or an import's end writes into its references is not the entry.
CREATE FUNCTION points_are_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF (NEW.id, NEW.address, NEW.berries, NEW.reason, NEW.source, NEW.reverses, NEW.import_id, NEW.import_line, NEW.administrator_email, NEW.created_at)
      IS NOT DISTINCT FROM
      (OLD.id, OLD.address, OLD.berries, OLD.reason, OLD.source, OLD.reverses, OLD.import_id, OLD.import_line, OLD.administrator_email, OLD.created_at)
      AND NEW.administrator_id IS NULL THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'the points ledger is append-only';
END $$;
--> statement-breakpoint
CREATE TRIGGER points_are_final BEFORE UPDATE OR DELETE ON points FOR EACH ROW EXECUTE FUNCTION points_are_final();
--> statement-breakpoint
CREATE TRIGGER points_are_not_emptied BEFORE TRUNCATE ON points FOR EACH STATEMENT EXECUTE FUNCTION points_are_final();
