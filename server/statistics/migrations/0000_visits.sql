-- For a separate statistics database, on plain PostgreSQL and on Citus. The panel's own tables are in server/migrations.
CREATE FUNCTION folded(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT replace(translate(lower(normalize(regexp_replace(value,
    '[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]',
    '', 'g'), NFKC)), 'ς', 'σ'), U&'i\0307', 'i')
$$;
--> statement-breakpoint
CREATE TABLE "visits" (
	"id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"page" text NOT NULL,
	"country" text,
	"chain_id" integer,
	"btc_deposited" bigint DEFAULT 0 NOT NULL,
	"yu_minted" numeric(78, 0) DEFAULT 0 NOT NULL,
	"address" text,
	"vault_id" text,
	"slot" integer NOT NULL,
	CONSTRAINT "visits_at_id_slot_pk" PRIMARY KEY("at","id","slot"),
	CONSTRAINT "visits_amounts" CHECK ("visits"."btc_deposited" >= 0 and "visits"."yu_minted" >= 0 and "visits"."yu_minted" <> 'NaN')
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "visit_deltas" (
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"page" text NOT NULL,
	"country" text NOT NULL,
	"chain_id" integer NOT NULL,
	"visits" bigint NOT NULL,
	"btc_deposited" numeric(78, 0) NOT NULL,
	"yu_minted" numeric(78, 0) NOT NULL,
	"slot" integer NOT NULL,
	CONSTRAINT "visit_deltas_slot_id_pk" PRIMARY KEY("slot","id")
);
--> statement-breakpoint
CREATE TABLE "visit_hours" (
	"hour" timestamp (3) with time zone NOT NULL,
	"page" text NOT NULL,
	"country" text NOT NULL,
	"chain_id" integer NOT NULL,
	"visits" bigint NOT NULL,
	"btc_deposited" numeric(78, 0) NOT NULL,
	"yu_minted" numeric(78, 0) NOT NULL,
	"slot" integer NOT NULL,
	CONSTRAINT "visit_hours_hour_page_country_chain_id_slot_pk" PRIMARY KEY("hour","page","country","chain_id","slot")
);
--> statement-breakpoint
CREATE TABLE "visit_days" (
	"day" timestamp (3) with time zone NOT NULL,
	"page" text NOT NULL,
	"country" text NOT NULL,
	"chain_id" integer NOT NULL,
	"visits" bigint NOT NULL,
	"btc_deposited" numeric(78, 0) NOT NULL,
	"yu_minted" numeric(78, 0) NOT NULL,
	"slot" integer NOT NULL,
	CONSTRAINT "visit_days_day_page_country_chain_id_slot_pk" PRIMARY KEY("day","page","country","chain_id","slot")
);
--> statement-breakpoint
CREATE TABLE "visit_hour_sums" (
	"hour" timestamp (3) with time zone NOT NULL,
	"visits" bigint NOT NULL,
	"btc_deposited" numeric(78, 0) NOT NULL,
	"yu_minted" numeric(78, 0) NOT NULL,
	"slot" integer NOT NULL,
	CONSTRAINT "visit_hour_sums_hour_slot_pk" PRIMARY KEY("hour","slot")
);
--> statement-breakpoint
-- How many parts the slots of a UTC day have, from that day on. Only the node that servers connect to reads it.
CREATE TABLE "visit_parts" (
	"from_day" date PRIMARY KEY NOT NULL,
	"parts" integer NOT NULL,
	CONSTRAINT "visit_parts_known" CHECK ("visit_parts"."parts" in (1, 2, 4, 8))
);
--> statement-breakpoint
CREATE INDEX "visits_country" ON "visits" USING btree ("country","at","id");
--> statement-breakpoint
CREATE INDEX "visits_chain" ON "visits" USING btree ("chain_id","at","id");
--> statement-breakpoint
CREATE INDEX "visits_page" ON "visits" USING btree ("page","at","id");
--> statement-breakpoint
CREATE INDEX "visits_address_start" ON "visits" USING btree (lower("address") text_pattern_ops,"at") WHERE "visits"."address" is not null;
--> statement-breakpoint
CREATE INDEX "visits_vault" ON "visits" USING btree ("vault_id","at") WHERE "visits"."vault_id" is not null;
--> statement-breakpoint
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
    SET LOCAL citus.shard_count = 8;
    PERFORM create_distributed_table('visits', 'slot');
    PERFORM create_distributed_table('visit_deltas', 'slot', colocate_with => 'visits');
    PERFORM create_distributed_table('visit_hours', 'slot', colocate_with => 'visits');
    PERFORM create_distributed_table('visit_days', 'slot', colocate_with => 'visits');
    PERFORM create_distributed_table('visit_hour_sums', 'slot', colocate_with => 'visits');
  END IF;
END $$;
