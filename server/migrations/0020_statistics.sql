-- By hand: the partitions of visits, and the triggers at the end.
CREATE TABLE "draws" (
	"id" uuid PRIMARY KEY NOT NULL,
	"time" timestamp (3) with time zone NOT NULL,
	"captain" text NOT NULL,
	"members" integer NOT NULL,
	"captain_berries" bigint NOT NULL,
	"total_berries" bigint NOT NULL,
	"import_id" uuid,
	"import_line" integer,
	CONSTRAINT "draws_one" UNIQUE("time","captain"),
	CONSTRAINT "draws_import_line" UNIQUE("import_id","import_line"),
	CONSTRAINT "draws_counts" CHECK ("draws"."members" >= 0 and "draws"."captain_berries" >= 0 and "draws"."total_berries" >= 0)
);
--> statement-breakpoint
CREATE TABLE "overview_days" (
	"day" date PRIMARY KEY NOT NULL,
	"bridge_btc" bigint,
	"mint_yu" numeric(78, 0),
	"user_count" bigint,
	"vault_btc" numeric(78, 0),
	"at" timestamp (3) with time zone NOT NULL,
	"block" bigint
);
--> statement-breakpoint
CREATE TABLE "teams" (
	"id" uuid PRIMARY KEY NOT NULL,
	"captain" text NOT NULL,
	"yu_minted" numeric(78, 0) NOT NULL,
	"size" integer NOT NULL,
	"current" boolean NOT NULL,
	"import_id" uuid,
	"import_line" integer,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "teams_import_line" UNIQUE("import_id","import_line"),
	CONSTRAINT "teams_counts" CHECK ("teams"."size" >= 0 and "teams"."yu_minted" >= 0 and "teams"."yu_minted" <> 'NaN')
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
	CONSTRAINT "visit_days_day_page_country_chain_id_pk" PRIMARY KEY("day","page","country","chain_id")
);
--> statement-breakpoint
CREATE TABLE "visit_deltas" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "visit_deltas_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"hour" timestamp (3) with time zone NOT NULL,
	"page" text NOT NULL,
	"country" text NOT NULL,
	"chain_id" integer NOT NULL,
	"visits" bigint NOT NULL,
	"btc_deposited" numeric(78, 0) NOT NULL,
	"yu_minted" numeric(78, 0) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "visit_hour_sums" (
	"hour" timestamp (3) with time zone PRIMARY KEY NOT NULL,
	"visits" bigint NOT NULL,
	"btc_deposited" numeric(78, 0) NOT NULL,
	"yu_minted" numeric(78, 0) NOT NULL
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
	CONSTRAINT "visit_hours_hour_page_country_chain_id_pk" PRIMARY KEY("hour","page","country","chain_id")
);
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
	CONSTRAINT "visits_at_id_pk" PRIMARY KEY("at","id"),
	CONSTRAINT "visits_amounts" CHECK ("visits"."btc_deposited" >= 0 and "visits"."yu_minted" >= 0 and "visits"."yu_minted" <> 'NaN')
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "wallet_connections" (
	"id" uuid PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"wallet" text NOT NULL,
	"chain_id" integer NOT NULL,
	"country" text,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	"times" integer NOT NULL,
	CONSTRAINT "wallet_connections_one" UNIQUE("address","wallet","chain_id"),
	CONSTRAINT "wallet_connections_times" CHECK ("wallet_connections"."times" > 0 and "wallet_connections"."first_at" <= "wallet_connections"."last_at")
);
--> statement-breakpoint
CREATE TABLE "wallet_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "draws" ADD CONSTRAINT "draws_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "teams" ADD CONSTRAINT "teams_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "draws_time" ON "draws" USING btree ("time","id");--> statement-breakpoint
CREATE INDEX "draws_members" ON "draws" USING btree ("members","id");--> statement-breakpoint
CREATE INDEX "draws_captain_berries" ON "draws" USING btree ("captain_berries","id");--> statement-breakpoint
CREATE INDEX "draws_total_berries" ON "draws" USING btree ("total_berries","id");--> statement-breakpoint
CREATE INDEX "draws_captain_start" ON "draws" USING btree (lower("captain") text_pattern_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "teams_current" ON "teams" USING btree ("captain") WHERE "teams"."current";--> statement-breakpoint
CREATE INDEX "teams_captain" ON "teams" USING btree ("captain","updated_at");--> statement-breakpoint
CREATE INDEX "teams_yu" ON "teams" USING btree ("yu_minted","id");--> statement-breakpoint
CREATE INDEX "teams_size" ON "teams" USING btree ("size","id");--> statement-breakpoint
CREATE INDEX "teams_updated" ON "teams" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX "teams_captain_start" ON "teams" USING btree (lower("captain") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "visits_country" ON "visits" USING btree ("country","at","id");--> statement-breakpoint
CREATE INDEX "visits_page" ON "visits" USING btree ("page","at","id");--> statement-breakpoint
CREATE INDEX "visits_address_start" ON "visits" USING btree (lower("address") text_pattern_ops,"at") WHERE "visits"."address" is not null;--> statement-breakpoint
CREATE INDEX "visits_vault" ON "visits" USING btree ("vault_id","at") WHERE "visits"."vault_id" is not null;--> statement-breakpoint
CREATE INDEX "wallet_connections_last" ON "wallet_connections" USING btree ("last_at","id");--> statement-breakpoint
CREATE INDEX "wallet_connections_first" ON "wallet_connections" USING btree ("first_at","id");--> statement-breakpoint
CREATE INDEX "wallet_connections_times" ON "wallet_connections" USING btree ("times","id");--> statement-breakpoint
CREATE INDEX "wallet_connections_country" ON "wallet_connections" USING btree ("country","last_at","id");--> statement-breakpoint
CREATE INDEX "wallet_connections_address_start" ON "wallet_connections" USING btree (lower("address") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "wallet_events_at" ON "wallet_events" USING btree ("at");--> statement-breakpoint
CREATE FUNCTION overview_days_stay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'a day of the overview that was taken is never changed'; END $$;--> statement-breakpoint
CREATE TRIGGER overview_days_stay BEFORE UPDATE OR DELETE ON "overview_days" FOR EACH ROW EXECUTE FUNCTION overview_days_stay();--> statement-breakpoint
CREATE TRIGGER overview_days_stay_all BEFORE TRUNCATE ON "overview_days" FOR EACH STATEMENT EXECUTE FUNCTION overview_days_stay();
--> statement-breakpoint
CREATE VIEW "positions" AS
  SELECT id, trove_manager, trove_id, owner, opened_at, collateral, total_debt, icr, liquidation_price, 'open'::text AS status
    FROM troves WHERE read_at IS NOT NULL
  UNION ALL
  SELECT trove, split_part(trove, '-', 1), split_part(trove, '-', 2)::numeric(78, 0), owner,
      (SELECT max(o.at) FROM crsm_events o WHERE o.trove = last.trove AND o.name = 'Transfer'
        AND o.args::json ->> 'from' = '0x0000000000000000000000000000000000000000'),
      0::numeric(78, 0), 0::numeric(78, 0), 115792089237316195423570985008687907853269984665640564039457584007913129639935::numeric(78, 0), 0::numeric(78, 0), 'closed'::text
    FROM (
      SELECT DISTINCT ON (trove) trove, args::json ->> 'from' AS owner, args::json ->> 'to' AS holder
      FROM crsm_events WHERE name = 'Transfer' AND trove IS NOT NULL ORDER BY trove, block DESC, log_index DESC
    ) last
    WHERE holder = '0x0000000000000000000000000000000000000000';
