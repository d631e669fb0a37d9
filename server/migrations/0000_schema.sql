-- The schema of version 1.0.0. Frozen: a change is a new migration. Triggers and the functions that no index uses are in server/sql.
-- drizzle-kit cannot write the functions of indexes, PARTITION BY of "audit" and "visits", and the view "positions".

-- ── Before the tables: what their indexes are made of ──────────────────────
-- Finds part of a title without reading every row.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
-- What a search compares: no case, no full or half width, no invisible characters.
CREATE FUNCTION folded(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT replace(translate(lower(normalize(regexp_replace(value,
    '[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]',
    '', 'g'), NFKC)), 'ς', 'σ'), U&'i\0307', 'i')
$$;
--> statement-breakpoint
-- Finds part of a text of any length in any script: every character and every pair. Trigrams do not serve the commonest
-- Chinese search, two characters. In plpgsql, since its in-place append is six times as fast as the same in SQL.
CREATE FUNCTION text_grams(value text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  letters text[] := string_to_array(public.folded(value), NULL);
  grams text[] := letters;
BEGIN
  FOR at IN 1 .. cardinality(letters) - 1 LOOP
    grams := grams || (letters[at] || letters[at + 1]);
  END LOOP;
  RETURN grams;
END $$;
--> statement-breakpoint
-- What of them a search needs: the pairs, or its one character.
CREATE FUNCTION search_grams(value text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  letters text[] := string_to_array(public.folded(value), NULL);
  grams text[] := '{}';
BEGIN
  IF cardinality(letters) < 2 THEN
    RETURN letters;
  END IF;
  FOR at IN 1 .. cardinality(letters) - 1 LOOP
    grams := grams || (letters[at] || letters[at + 1]);
  END LOOP;
  RETURN grams;
END $$;
--> statement-breakpoint
-- ── Tables ─────────────────────────────────────────────────────────────────
CREATE TABLE "alarm_cursors" (
	"name" text PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alarm_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"alarm_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"leased_until" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "alarm_subjects" (
	"key" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"alarm_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alarms" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"lines" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "authority_lines" (
	"number" integer PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"line" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "authority_lines_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "authority_statements" (
	"id" text PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL,
	"number" integer,
	"line" integer,
	"kind" text NOT NULL,
	"statement" text NOT NULL,
	"text" text NOT NULL,
	"expires" timestamp (3) with time zone NOT NULL,
	"passed_at" timestamp (3) with time zone,
	"counts_from" timestamp (3) with time zone,
	"drafted_by" uuid,
	"drafted_at" timestamp (3) with time zone,
	"owner_proof" text
);
--> statement-breakpoint
CREATE TABLE "crsm_calls" (
	"id" uuid PRIMARY KEY NOT NULL,
	"action" text NOT NULL,
	"crsm" text,
	"state" text DEFAULT 'prepared' NOT NULL,
	"chain_id" integer NOT NULL,
	"from_address" text NOT NULL,
	"to_address" text NOT NULL,
	"data" text NOT NULL,
	"function_name" text NOT NULL,
	"args" text NOT NULL,
	"block" bigint NOT NULL,
	"hash" text,
	"sent_at" timestamp (3) with time zone,
	"administrator_id" uuid,
	"administrator_email" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "crsm_events" (
	"id" text PRIMARY KEY NOT NULL,
	"crsm" text,
	"trove" text,
	"name" text NOT NULL,
	"args" text NOT NULL,
	"hash" text NOT NULL,
	"log_index" integer NOT NULL,
	"block" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "crsm_events_whose" CHECK (("crsm_events"."crsm" is null) <> ("crsm_events"."trove" is null))
);
--> statement-breakpoint
CREATE TABLE "crsms" (
	"address" text PRIMARY KEY NOT NULL,
	"token_id" numeric(78, 0) NOT NULL,
	"trove_manager" text NOT NULL,
	"trove_id" numeric(78, 0) NOT NULL,
	"owner" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"collateral" numeric(78, 0) DEFAULT 0 NOT NULL,
	"debt" numeric(78, 0) DEFAULT 0 NOT NULL,
	"interest" numeric(78, 0) DEFAULT 0 NOT NULL,
	"total_debt" numeric(78, 0) DEFAULT 0 NOT NULL,
	"icr" numeric(78, 0) DEFAULT 0 NOT NULL,
	"liquidation_price" numeric(78, 0) DEFAULT 0 NOT NULL,
	"mcr" numeric(78, 0) DEFAULT 0 NOT NULL,
	"price" numeric(78, 0) DEFAULT 0 NOT NULL,
	"block" bigint,
	"read_at" timestamp (3) with time zone,
	"trgcr" numeric(78, 0) DEFAULT 0 NOT NULL,
	"tarcr" numeric(78, 0) DEFAULT 0 NOT NULL,
	"max_tarcr" numeric(78, 0) DEFAULT 0 NOT NULL,
	"debt_gas_compensation" numeric(78, 0) DEFAULT 0 NOT NULL,
	"pending_debt_gas_compensation" numeric(78, 0) DEFAULT 0 NOT NULL,
	"deadline" timestamp (3) with time zone,
	"deposits" numeric(78, 0) DEFAULT 0 NOT NULL,
	"yield_gains" numeric(78, 0) DEFAULT 0 NOT NULL,
	"debt_token_balance" numeric(78, 0) DEFAULT 0 NOT NULL,
	"collateral_gains" text DEFAULT '[]' NOT NULL,
	"distance" numeric(78, 0) DEFAULT 0 NOT NULL,
	"is_troves_owner" boolean DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE TABLE "troves" (
	"id" text PRIMARY KEY NOT NULL,
	"trove_manager" text NOT NULL,
	"trove_id" numeric(78, 0) NOT NULL,
	"owner" text NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"collateral" numeric(78, 0) DEFAULT 0 NOT NULL,
	"debt" numeric(78, 0) DEFAULT 0 NOT NULL,
	"interest" numeric(78, 0) DEFAULT 0 NOT NULL,
	"total_debt" numeric(78, 0) DEFAULT 0 NOT NULL,
	"icr" numeric(78, 0) DEFAULT 0 NOT NULL,
	"liquidation_price" numeric(78, 0) DEFAULT 0 NOT NULL,
	"mcr" numeric(78, 0) DEFAULT 0 NOT NULL,
	"price" numeric(78, 0) DEFAULT 0 NOT NULL,
	"block" bigint,
	"read_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "institutions" (
	"address" text PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "money_freezes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text DEFAULT 'difference' NOT NULL,
	"opened_by" uuid,
	"opened_email" text,
	"opened_reason" text,
	"figures" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"resolved_by" uuid,
	"reason" text,
	"supply_off" numeric(78, 0) DEFAULT 0 NOT NULL,
	"ledger_off" numeric(78, 0) DEFAULT 0 NOT NULL,
	"standing" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reserve_proofs" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"signed" text,
	"at" timestamp (3) with time zone,
	"problem" text,
	"details" text,
	"problem_at" timestamp (3) with time zone,
	CONSTRAINT "reserve_proofs_one" CHECK ("reserve_proofs"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "cobo_events" (
	"id" text PRIMARY KEY NOT NULL,
	"transaction" text NOT NULL,
	"said_at" bigint NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"outcome" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deposit_authors" (
	"deposit_id" uuid NOT NULL,
	"administrator_id" uuid NOT NULL,
	"network" text NOT NULL,
	"txid" text NOT NULL,
	"vout" integer NOT NULL,
	CONSTRAINT "deposit_authors_deposit_id_administrator_id_network_txid_vout_pk" PRIMARY KEY("deposit_id","administrator_id","network","txid","vout")
);
--> statement-breakpoint
CREATE TABLE "deposit_blocks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"network" text NOT NULL,
	"txid" text NOT NULL,
	"vout" integer,
	"transaction" text NOT NULL,
	"reason" text NOT NULL,
	"blocked_at" timestamp (3) with time zone NOT NULL,
	"lifted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "deposit_unblocks" (
	"block_id" uuid NOT NULL,
	"administrator_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "deposit_unblocks_block_id_administrator_id_pk" PRIMARY KEY("block_id","administrator_id")
);
--> statement-breakpoint
CREATE TABLE "deposits" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"user_address" text NOT NULL,
	"amount" bigint NOT NULL,
	"cobo_address" text NOT NULL,
	"network" text NOT NULL,
	"txid" text NOT NULL,
	"vout" integer NOT NULL,
	"remarks" text DEFAULT '' NOT NULL,
	"type" text DEFAULT 'cobo' NOT NULL,
	"lock_time" timestamp (3) with time zone,
	"status" text DEFAULT 'created' NOT NULL,
	"mint_status" text DEFAULT 'none' NOT NULL,
	"withdraw_status" text DEFAULT 'default' NOT NULL,
	"created_by" uuid,
	"statement" text,
	"modified_by" uuid,
	"modified_email" text NOT NULL,
	"confirmed_by" uuid,
	"confirmed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "deposits_amount_range" CHECK ("deposits"."amount" > 0 and "deposits"."amount" <= 2100000000000000),
	CONSTRAINT "deposits_txid" CHECK ("deposits"."txid" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "deposits_vout" CHECK ("deposits"."vout" >= 0),
	CONSTRAINT "deposits_minted_confirmed" CHECK ("deposits"."mint_status" = 'none' or "deposits"."status" = 'confirmed'),
	CONSTRAINT "deposits_two_people" CHECK ("deposits"."confirmed_by" is null or "deposits"."status" = 'confirmed')
);
--> statement-breakpoint
CREATE TABLE "mint_transactions" (
	"hash" text PRIMARY KEY NOT NULL,
	"mint_id" uuid NOT NULL,
	"nonce" integer NOT NULL,
	"raw" text NOT NULL,
	"max_fee_per_gas" numeric(78, 0) NOT NULL,
	"max_priority_fee_per_gas" numeric(78, 0) NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mints" (
	"id" uuid PRIMARY KEY NOT NULL,
	"deposit_id" uuid NOT NULL,
	"deposit_hash" text NOT NULL,
	"chain_id" integer NOT NULL,
	"token" text NOT NULL,
	"bridge" text NOT NULL,
	"recipient" text NOT NULL,
	"amount" numeric(78, 0) NOT NULL,
	"state" text NOT NULL,
	"sign_from" timestamp (3) with time zone,
	"nonce" integer,
	"hash" text,
	"block_number" bigint,
	"block_hash" text,
	"problem" text,
	"details" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"leased_until" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "mints_deposit_id_unique" UNIQUE("deposit_id"),
	CONSTRAINT "mints_amount" CHECK ("mints"."amount" > 0 and "mints"."amount" <> 'NaN')
);
--> statement-breakpoint
CREATE TABLE "signer_nonces" (
	"chain_id" integer NOT NULL,
	"address" text NOT NULL,
	"next" integer NOT NULL,
	CONSTRAINT "signer_nonces_chain_id_address_pk" PRIMARY KEY("chain_id","address")
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
CREATE TABLE "import_files" (
	"import_id" uuid PRIMARY KEY NOT NULL,
	"content" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "import_edits" (
	"import_id" uuid NOT NULL,
	"line" integer NOT NULL,
	"texts" text NOT NULL,
	CONSTRAINT "import_edits_import_id_line_pk" PRIMARY KEY("import_id","line")
);
--> statement-breakpoint
CREATE TABLE "import_rows" (
	"import_id" uuid NOT NULL,
	"line" integer NOT NULL,
	"cells" text NOT NULL,
	"texts" text NOT NULL,
	"issues" text NOT NULL,
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
	"reading" text NOT NULL,
	"head" text NOT NULL,
	"mapping" text NOT NULL,
	"fills" text NOT NULL,
	"answers" text NOT NULL,
	"questions" text NOT NULL,
	"totals" text NOT NULL,
	"preview" text NOT NULL,
	"edited" integer DEFAULT 0 NOT NULL,
	"state" text NOT NULL,
	"total" integer NOT NULL,
	"good" integer NOT NULL,
	"bad" integer NOT NULL,
	"worked" integer DEFAULT 0 NOT NULL,
	"imported" integer DEFAULT 0 NOT NULL,
	"line" integer DEFAULT 0 NOT NULL,
	"runner" uuid,
	"leased_until" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"administrator_id" uuid,
	"administrator_email" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"again" uuid,
	CONSTRAINT "imports_counts" CHECK ("imports"."imported" >= 0 and "imports"."imported" <= "imports"."worked" and "imports"."worked" <= "imports"."total")
);
--> statement-breakpoint
CREATE TABLE "feed_items" (
	"id" uuid PRIMARY KEY NOT NULL,
	"feed" text NOT NULL,
	"guid" text NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"link" text NOT NULL,
	"image" text,
	"time" timestamp (3) with time zone,
	"fetched_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "feed_items_guid" UNIQUE("feed","guid")
);
--> statement-breakpoint
CREATE TABLE "news" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"image" text,
	"time" timestamp (3) with time zone NOT NULL,
	"link" text NOT NULL,
	"shown" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"created_by" uuid,
	"feed_item_id" uuid,
	"imported_link" text,
	CONSTRAINT "news_feed_item_id_unique" UNIQUE("feed_item_id"),
	CONSTRAINT "news_imported_link_unique" UNIQUE("imported_link"),
	CONSTRAINT "news_version" CHECK ("news"."version" >= 1),
	CONSTRAINT "news_title_length" CHECK (length("news"."title") between 1 and 200),
	CONSTRAINT "news_shown_complete" CHECK (not "news"."shown" or "news"."image" is not null)
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
CREATE TABLE "audit" (
	"seq" bigint NOT NULL,
	"id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"actor_id" uuid,
	"actor_email" text NOT NULL,
	"command" text,
	"route" text NOT NULL,
	"permission" text,
	"action" text NOT NULL,
	"entity" text NOT NULL,
	"entity_id" text,
	"before" text,
	"after" text,
	"result" text NOT NULL,
	"request_id" text NOT NULL,
	"ip" text NOT NULL,
	"idempotency_key" text,
	"payload" text NOT NULL,
	"prev_hash" text NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "audit_seq_at_pk" PRIMARY KEY("seq","at"),
	CONSTRAINT "audit_id" UNIQUE("id","at"),
	CONSTRAINT "audit_result" CHECK ("audit"."result" in ('done', 'refused'))
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "audit_inbox" (
	"id" uuid PRIMARY KEY NOT NULL,
	"payload" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "access_changes" (
	"id" integer PRIMARY KEY NOT NULL,
	"value" bigint NOT NULL,
	CONSTRAINT "access_changes_one" CHECK ("access_changes"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "rights_stamp" (
	"id" integer PRIMARY KEY NOT NULL,
	"stamp" uuid NOT NULL,
	CONSTRAINT "rights_stamp_one" CHECK ("rights_stamp"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "account_changes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"administrator_id" uuid NOT NULL,
	"changed_by" uuid,
	"what" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "account_changes_what" CHECK ("account_changes"."what" in ('created', 'enabled', 'email', 'roles', 'rights', 'password', 'factor', 'wallet'))
);
--> statement-breakpoint
CREATE TABLE "administrator_roles" (
	"administrator_id" uuid NOT NULL,
	"role_id" uuid NOT NULL,
	CONSTRAINT "administrator_roles_administrator_id_role_id_pk" PRIMARY KEY("administrator_id","role_id")
);
--> statement-breakpoint
CREATE TABLE "administrators" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"email" text NOT NULL,
	"password_hash" text,
	"description" text DEFAULT '' NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"wallet_address" text,
	"totp_secret" text,
	"totp_last_step" bigint,
	"password_changed_at" timestamp (3) with time zone,
	"password_expires_at" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone,
	"demo" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "administrators_wallet_address_unique" UNIQUE("wallet_address")
);
--> statement-breakpoint
CREATE TABLE "challenges" (
	"id" uuid PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"browser" text NOT NULL,
	"administrator_id" uuid,
	"address" text,
	"message" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "known_browsers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"administrator_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "known_browsers_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "mail_codes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"administrator_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"code_hash" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"administrator_id" uuid NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text DEFAULT '' NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "passkeys_credential_id_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "password_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"administrator_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "password_links_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "permission_nodes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"parent_id" uuid,
	"kind" text NOT NULL,
	"identifier" text NOT NULL,
	"name_zh" text NOT NULL,
	"name_en" text NOT NULL,
	"position" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "permission_nodes_identifier_unique" UNIQUE("identifier"),
	CONSTRAINT "permission_nodes_kind" CHECK ("permission_nodes"."kind" in ('menu', 'function'))
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"administrator_id" uuid NOT NULL,
	"code_hash" text NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "role_nodes" (
	"role_id" uuid NOT NULL,
	"node_id" uuid NOT NULL,
	CONSTRAINT "role_nodes_role_id_node_id_pk" PRIMARY KEY("role_id","node_id")
);
--> statement-breakpoint
CREATE TABLE "roles" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"seed" text,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"needs_factor" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "roles_seed_unique" UNIQUE("seed"),
	CONSTRAINT "roles_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"administrator_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"half_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"method" text DEFAULT 'password' NOT NULL,
	"factor_at" timestamp (3) with time zone,
	"password_at" timestamp (3) with time zone,
	"ip" text NOT NULL,
	"user_agent" text NOT NULL,
	CONSTRAINT "sessions_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"leased_until" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "pictures" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sha256" text NOT NULL,
	"mime" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"bytes" integer NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pictures_sha256_unique" UNIQUE("sha256"),
	CONSTRAINT "pictures_size" CHECK ("pictures"."width" > 0 and "pictures"."height" > 0 and "pictures"."bytes" > 0)
);
--> statement-breakpoint
CREATE TABLE "chain_cursors" (
	"name" text PRIMARY KEY NOT NULL,
	"block" bigint NOT NULL,
	"block_hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chain_watches" (
	"name" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"state" text
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	"blocked_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "idempotency" (
	"administrator_id" uuid NOT NULL,
	"route" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"response" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_administrator_id_route_key_pk" PRIMARY KEY("administrator_id","route","key"),
	CONSTRAINT "idempotency_key_length" CHECK (length("idempotency"."key") between 1 and 64)
);
--> statement-breakpoint
CREATE TABLE "sharded_counters" (
	"counter" text NOT NULL,
	"resource" text NOT NULL,
	"shard" integer NOT NULL,
	"value" bigint NOT NULL,
	CONSTRAINT "sharded_counters_counter_resource_shard_pk" PRIMARY KEY("counter","resource","shard")
);
--> statement-breakpoint
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
CREATE TABLE "seeded" (
	"key" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE "bridge_refunds" (
	"chain_id" integer NOT NULL,
	"bridge" text NOT NULL,
	"nonce" integer NOT NULL,
	"src_hash" text NOT NULL,
	"from_address" text NOT NULL,
	"receiver" text NOT NULL,
	"amount" numeric(78, 0) NOT NULL,
	"request_hash" text,
	"block" bigint,
	"withdrawal_id" uuid,
	"freeze_id" uuid,
	"alarming" boolean DEFAULT false NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bridge_refunds_chain_id_bridge_nonce_pk" PRIMARY KEY("chain_id","bridge","nonce")
);
--> statement-breakpoint
CREATE TABLE "refund_intents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"withdrawal_id" uuid NOT NULL,
	"deposit_id" uuid NOT NULL,
	"action" text NOT NULL,
	"chain_id" integer NOT NULL,
	"from_address" text NOT NULL,
	"to_address" text NOT NULL,
	"data" text NOT NULL,
	"receiver" text NOT NULL,
	"amount" bigint NOT NULL,
	"administrator_id" uuid,
	"administrator_email" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "withdrawals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deposit_id" uuid NOT NULL,
	"address" text NOT NULL,
	"amount" bigint NOT NULL,
	"receiver" text NOT NULL,
	"txid" text NOT NULL,
	"status" text DEFAULT 'todo' NOT NULL,
	"nonce" integer,
	"request_hash" text,
	"confirm_hash" text,
	"cools_until" timestamp (3) with time zone,
	"statement" text,
	"first_nonce" integer,
	"cancel_asked_by" uuid,
	"cancel_asked_at" timestamp (3) with time zone,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "withdrawals_amount" CHECK ("withdrawals"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "saved_views" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"administrator_id" uuid NOT NULL,
	"place" text NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	"position" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "saved_views_name" UNIQUE("administrator_id","place","name")
);
--> statement-breakpoint
ALTER TABLE "authority_statements" ADD CONSTRAINT "authority_statements_drafted_by_administrators_id_fk" FOREIGN KEY ("drafted_by") REFERENCES "public"."administrators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarm_deliveries" ADD CONSTRAINT "alarm_deliveries_alarm_id_alarms_id_fk" FOREIGN KEY ("alarm_id") REFERENCES "public"."alarms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarm_subjects" ADD CONSTRAINT "alarm_subjects_alarm_id_alarms_id_fk" FOREIGN KEY ("alarm_id") REFERENCES "public"."alarms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crsm_calls" ADD CONSTRAINT "crsm_calls_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "money_freezes" ADD CONSTRAINT "money_freezes_opened_by_administrators_id_fk" FOREIGN KEY ("opened_by") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "money_freezes" ADD CONSTRAINT "money_freezes_resolved_by_administrators_id_fk" FOREIGN KEY ("resolved_by") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposit_unblocks" ADD CONSTRAINT "deposit_unblocks_block_id_deposit_blocks_id_fk" FOREIGN KEY ("block_id") REFERENCES "public"."deposit_blocks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposits" ADD CONSTRAINT "deposits_created_by_administrators_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposits" ADD CONSTRAINT "deposits_modified_by_administrators_id_fk" FOREIGN KEY ("modified_by") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposits" ADD CONSTRAINT "deposits_confirmed_by_administrators_id_fk" FOREIGN KEY ("confirmed_by") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mint_transactions" ADD CONSTRAINT "mint_transactions_mint_id_mints_id_fk" FOREIGN KEY ("mint_id") REFERENCES "public"."mints"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mints" ADD CONSTRAINT "mints_deposit_id_deposits_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feedback" ADD CONSTRAINT "feedback_processed_by_administrators_id_fk" FOREIGN KEY ("processed_by") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feedback_pictures" ADD CONSTRAINT "feedback_pictures_feedback_id_feedback_id_fk" FOREIGN KEY ("feedback_id") REFERENCES "public"."feedback"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feedback_pictures" ADD CONSTRAINT "feedback_pictures_picture_id_pictures_id_fk" FOREIGN KEY ("picture_id") REFERENCES "public"."pictures"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feedback_replies" ADD CONSTRAINT "feedback_replies_feedback_id_feedback_id_fk" FOREIGN KEY ("feedback_id") REFERENCES "public"."feedback"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_files" ADD CONSTRAINT "import_files_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_edits" ADD CONSTRAINT "import_edits_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_rows" ADD CONSTRAINT "import_rows_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "news" ADD CONSTRAINT "news_created_by_administrators_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_created_by_administrators_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_changes" ADD CONSTRAINT "account_changes_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_changes" ADD CONSTRAINT "account_changes_changed_by_administrators_id_fk" FOREIGN KEY ("changed_by") REFERENCES "public"."administrators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "administrator_roles" ADD CONSTRAINT "administrator_roles_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "administrator_roles" ADD CONSTRAINT "administrator_roles_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "challenges" ADD CONSTRAINT "challenges_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "known_browsers" ADD CONSTRAINT "known_browsers_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_codes" ADD CONSTRAINT "mail_codes_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_links" ADD CONSTRAINT "password_links_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "permission_nodes" ADD CONSTRAINT "permission_nodes_parent_id_permission_nodes_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."permission_nodes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role_nodes" ADD CONSTRAINT "role_nodes_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role_nodes" ADD CONSTRAINT "role_nodes_node_id_permission_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."permission_nodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pictures" ADD CONSTRAINT "pictures_created_by_administrators_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "airdrops" ADD CONSTRAINT "airdrops_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "points" ADD CONSTRAINT "points_reverses_points_id_fk" FOREIGN KEY ("reverses") REFERENCES "public"."points"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "points" ADD CONSTRAINT "points_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "points" ADD CONSTRAINT "points_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "draws" ADD CONSTRAINT "draws_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "teams" ADD CONSTRAINT "teams_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bridge_refunds" ADD CONSTRAINT "bridge_refunds_withdrawal_id_withdrawals_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bridge_refunds" ADD CONSTRAINT "bridge_refunds_freeze_id_money_freezes_id_fk" FOREIGN KEY ("freeze_id") REFERENCES "public"."money_freezes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_intents" ADD CONSTRAINT "refund_intents_withdrawal_id_withdrawals_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_intents" ADD CONSTRAINT "refund_intents_deposit_id_deposits_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_intents" ADD CONSTRAINT "refund_intents_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_deposit_id_deposits_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_cancel_asked_by_administrators_id_fk" FOREIGN KEY ("cancel_asked_by") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_created_by_administrators_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."administrators"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_administrator_id_administrators_id_fk" FOREIGN KEY ("administrator_id") REFERENCES "public"."administrators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "alarm_deliveries_once" ON "alarm_deliveries" USING btree ("alarm_id","channel");--> statement-breakpoint
CREATE INDEX "authority_statements_text_grams" ON "authority_statements" USING gin (text_grams("text"));--> statement-breakpoint
CREATE INDEX "authority_statements_drafts" ON "authority_statements" USING btree ("drafted_by","expires") WHERE "authority_statements"."number" is null;--> statement-breakpoint
CREATE INDEX "authority_statements_line" ON "authority_statements" USING btree ("line");--> statement-breakpoint
CREATE INDEX "authority_statements_kind" ON "authority_statements" USING btree ("kind","position","id");--> statement-breakpoint
CREATE INDEX "authority_statements_position" ON "authority_statements" USING btree ("position","id");--> statement-breakpoint
CREATE INDEX "alarm_deliveries_next" ON "alarm_deliveries" USING btree ("state","next_at");--> statement-breakpoint
CREATE INDEX "alarm_subjects_kind" ON "alarm_subjects" USING btree ("kind");--> statement-breakpoint
CREATE INDEX "alarms_at" ON "alarms" USING btree ("at");--> statement-breakpoint
CREATE INDEX "crsm_calls_crsm" ON "crsm_calls" USING btree ("crsm","created_at");--> statement-breakpoint
CREATE INDEX "crsm_calls_open" ON "crsm_calls" USING btree ("created_at") WHERE "crsm_calls"."state" in ('prepared', 'sent', 'lost');--> statement-breakpoint
CREATE UNIQUE INDEX "crsm_calls_outcome" ON "crsm_calls" USING btree ("hash") WHERE "crsm_calls"."state" in ('done', 'failed');--> statement-breakpoint
CREATE INDEX "crsm_events_crsm" ON "crsm_events" USING btree ("crsm","block","log_index");--> statement-breakpoint
CREATE INDEX "crsm_events_trove" ON "crsm_events" USING btree ("trove","block","log_index");--> statement-breakpoint
CREATE INDEX "crsm_events_block" ON "crsm_events" USING btree ("block");--> statement-breakpoint
CREATE INDEX "crsm_events_name" ON "crsm_events" USING btree ("name","crsm","block","log_index");--> statement-breakpoint
CREATE INDEX "crsms_distance" ON "crsms" USING btree ("distance","address");--> statement-breakpoint
CREATE INDEX "crsms_collateral" ON "crsms" USING btree ("collateral","address");--> statement-breakpoint
CREATE INDEX "crsms_debt" ON "crsms" USING btree ("total_debt","address");--> statement-breakpoint
CREATE INDEX "crsms_icr" ON "crsms" USING btree ("icr","address");--> statement-breakpoint
CREATE INDEX "crsms_deposits" ON "crsms" USING btree ("deposits","address");--> statement-breakpoint
CREATE INDEX "crsms_created" ON "crsms" USING btree ("created_at","address");--> statement-breakpoint
CREATE INDEX "crsms_owner" ON "crsms" USING btree ("owner");--> statement-breakpoint
CREATE INDEX "crsms_trove" ON "crsms" USING btree ("trove_id","trove_manager");--> statement-breakpoint
CREATE INDEX "crsms_address_start" ON "crsms" USING btree (lower("address") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "crsms_owner_start" ON "crsms" USING btree (lower("owner") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "troves_icr" ON "troves" USING btree ("icr","id");--> statement-breakpoint
CREATE INDEX "troves_collateral" ON "troves" USING btree ("collateral","id");--> statement-breakpoint
CREATE INDEX "troves_debt" ON "troves" USING btree ("total_debt","id");--> statement-breakpoint
CREATE INDEX "troves_opened" ON "troves" USING btree ("opened_at","id");--> statement-breakpoint
CREATE INDEX "troves_owner" ON "troves" USING btree ("owner");--> statement-breakpoint
CREATE INDEX "troves_trove" ON "troves" USING btree ("trove_id");--> statement-breakpoint
CREATE INDEX "troves_owner_start" ON "troves" USING btree (lower("owner") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "institutions_created" ON "institutions" USING btree ("created_at","address");--> statement-breakpoint
CREATE INDEX "institutions_name" ON "institutions" USING btree ("name","address");--> statement-breakpoint
CREATE INDEX "institutions_address_start" ON "institutions" USING btree (lower("address") text_pattern_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "money_freezes_open" ON "money_freezes" USING btree ("kind") WHERE "money_freezes"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "cobo_events_transaction" ON "cobo_events" USING btree ("transaction","said_at");--> statement-breakpoint
CREATE INDEX "deposit_authors_output" ON "deposit_authors" USING btree ("txid","vout","network");--> statement-breakpoint
CREATE UNIQUE INDEX "deposit_blocks_open" ON "deposit_blocks" USING btree ("network","txid",coalesce("vout", -1)) WHERE "deposit_blocks"."lifted_at" is null;--> statement-breakpoint
CREATE INDEX "deposit_blocks_output" ON "deposit_blocks" USING btree ("txid","network");--> statement-breakpoint
CREATE UNIQUE INDEX "deposits_output" ON "deposits" USING btree ("network","txid","vout") WHERE "deposits"."mint_status" <> 'closed';--> statement-breakpoint
CREATE INDEX "deposits_created" ON "deposits" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "deposits_status_created" ON "deposits" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "deposits_mint_created" ON "deposits" USING btree ("mint_status","created_at","id");--> statement-breakpoint
CREATE INDEX "deposits_status_amount" ON "deposits" USING btree ("status","amount","id");--> statement-breakpoint
CREATE INDEX "deposits_mint_amount" ON "deposits" USING btree ("mint_status","amount","id");--> statement-breakpoint
CREATE INDEX "deposits_user" ON "deposits" USING btree ("user_address","created_at","id");--> statement-breakpoint
CREATE INDEX "deposits_cobo" ON "deposits" USING btree ("cobo_address","created_at","id");--> statement-breakpoint
CREATE INDEX "deposits_amount" ON "deposits" USING btree ("amount","id");--> statement-breakpoint
CREATE INDEX "deposits_user_start" ON "deposits" USING btree (lower("user_address") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "deposits_cobo_start" ON "deposits" USING btree (lower("cobo_address") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "deposits_txid_start" ON "deposits" USING btree ("txid" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "mint_transactions_mint" ON "mint_transactions" USING btree ("mint_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "mints_deposit_hash" ON "mints" USING btree ("deposit_hash") WHERE "mints"."state" <> 'closed';--> statement-breakpoint
CREATE INDEX "mints_next" ON "mints" USING btree ("next_at") WHERE "mints"."state" in ('queued', 'signed', 'sent', 'mined');--> statement-breakpoint
CREATE INDEX "feedback_created" ON "feedback" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "feedback_processed_created" ON "feedback" USING btree ("processed","created_at","id");--> statement-breakpoint
CREATE INDEX "feedback_content_grams" ON "feedback" USING gin (text_grams("content"));--> statement-breakpoint
CREATE INDEX "feedback_email_grams" ON "feedback" USING gin (text_grams("email"));--> statement-breakpoint
CREATE INDEX "feedback_pictures_picture" ON "feedback_pictures" USING btree ("picture_id");--> statement-breakpoint
CREATE INDEX "feedback_replies_feedback" ON "feedback_replies" USING btree ("feedback_id","created_at");--> statement-breakpoint
CREATE INDEX "imports_kind_created" ON "imports" USING btree ("kind","created_at","id");--> statement-breakpoint
CREATE INDEX "imports_file" ON "imports" USING btree ("kind","sha256");--> statement-breakpoint
CREATE INDEX "imports_state" ON "imports" USING btree ("state","leased_until");--> statement-breakpoint
CREATE INDEX "feed_items_link" ON "feed_items" USING btree ("link");--> statement-breakpoint
CREATE INDEX "news_time" ON "news" USING btree ("time","id");--> statement-breakpoint
CREATE INDEX "news_created" ON "news" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "news_shown_time" ON "news" USING btree ("shown","time","id");--> statement-breakpoint
CREATE INDEX "news_shown_created" ON "news" USING btree ("shown","created_at","id");--> statement-breakpoint
CREATE INDEX "news_link" ON "news" USING btree ("link");--> statement-breakpoint
CREATE INDEX "news_title_grams" ON "news" USING gin (text_grams("title"));--> statement-breakpoint
CREATE INDEX "notices_created" ON "notices" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "notices_updated" ON "notices" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX "notices_shown_created" ON "notices" USING btree ("shown","created_at","id");--> statement-breakpoint
CREATE INDEX "notices_platform_created" ON "notices" USING btree ("platform","created_at","id");--> statement-breakpoint
CREATE INDEX "notices_starts" ON "notices" USING btree ("starts_at") WHERE "notices"."shown";--> statement-breakpoint
CREATE INDEX "notices_ends" ON "notices" USING btree ("ends_at") WHERE "notices"."shown";--> statement-breakpoint
CREATE INDEX "notices_content_grams" ON "notices" USING gin (text_grams("content"));--> statement-breakpoint
CREATE INDEX "audit_at" ON "audit" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "audit_actor" ON "audit" USING btree ("actor_email","at","id");--> statement-breakpoint
CREATE INDEX "audit_what" ON "audit" USING btree (coalesce("command", "route"),"at","id");--> statement-breakpoint
CREATE INDEX "audit_kind" ON "audit" USING btree ("entity","at","id");--> statement-breakpoint
CREATE INDEX "audit_record" ON "audit" USING btree ("entity_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_outcome" ON "audit" USING btree ("result","at","id");--> statement-breakpoint
CREATE INDEX "audit_entity" ON "audit" USING btree ("entity","entity_id","seq");--> statement-breakpoint
CREATE INDEX "account_changes_administrator" ON "account_changes" USING btree ("administrator_id","created_at");--> statement-breakpoint
CREATE INDEX "administrator_roles_role" ON "administrator_roles" USING btree ("role_id");--> statement-breakpoint
CREATE UNIQUE INDEX "administrators_email_live" ON "administrators" USING btree ("email") WHERE "administrators"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "administrators_email" ON "administrators" USING btree ("email","id");--> statement-breakpoint
CREATE INDEX "administrators_created" ON "administrators" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "challenges_expires" ON "challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "challenges_browser" ON "challenges" USING btree ("browser");--> statement-breakpoint
CREATE INDEX "known_browsers_administrator" ON "known_browsers" USING btree ("administrator_id");--> statement-breakpoint
CREATE INDEX "mail_codes_administrator" ON "mail_codes" USING btree ("administrator_id","purpose");--> statement-breakpoint
CREATE INDEX "passkeys_administrator" ON "passkeys" USING btree ("administrator_id");--> statement-breakpoint
CREATE INDEX "password_links_administrator" ON "password_links" USING btree ("administrator_id");--> statement-breakpoint
CREATE INDEX "permission_nodes_parent" ON "permission_nodes" USING btree ("parent_id","position");--> statement-breakpoint
CREATE INDEX "recovery_codes_administrator" ON "recovery_codes" USING btree ("administrator_id");--> statement-breakpoint
CREATE INDEX "role_nodes_node" ON "role_nodes" USING btree ("node_id");--> statement-breakpoint
CREATE INDEX "sessions_administrator" ON "sessions" USING btree ("administrator_id");--> statement-breakpoint
CREATE INDEX "sessions_expires" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "mails_next" ON "mails" USING btree ("state","next_at");--> statement-breakpoint
CREATE INDEX "pictures_sent" ON "pictures" USING btree ("sent_at");--> statement-breakpoint
CREATE INDEX "pictures_person_created" ON "pictures" USING btree ("created_by","created_at");--> statement-breakpoint
CREATE INDEX "rate_limits_last" ON "rate_limits" USING btree ("last_at");--> statement-breakpoint
CREATE INDEX "idempotency_created" ON "idempotency" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "airdrops_created" ON "airdrops" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "airdrops_address" ON "airdrops" USING btree ("address","created_at","id");--> statement-breakpoint
CREATE INDEX "airdrops_address_start" ON "airdrops" USING btree (lower("address") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "airdrops_berries" ON "airdrops" USING btree ("berries","id");--> statement-breakpoint
CREATE INDEX "airdrops_stage" ON "airdrops" USING btree ("stage","created_at","id");--> statement-breakpoint
CREATE INDEX "airdrops_level" ON "airdrops" USING btree ("nft_level","created_at","id");--> statement-breakpoint
CREATE INDEX "point_balances_berries" ON "point_balances" USING btree ("berries","address");--> statement-breakpoint
CREATE INDEX "point_balances_updated" ON "point_balances" USING btree ("updated_at","address");--> statement-breakpoint
CREATE INDEX "point_balances_address_start" ON "point_balances" USING btree (lower("address") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "points_created" ON "points" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "points_address" ON "points" USING btree ("address","created_at","id");--> statement-breakpoint
CREATE INDEX "points_source_created" ON "points" USING btree ("source","created_at","id");--> statement-breakpoint
CREATE INDEX "points_size" ON "points" USING btree ("berries","id");--> statement-breakpoint
CREATE INDEX "points_address_start" ON "points" USING btree (lower("address") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "points_reason_grams" ON "points" USING gin (text_grams("reason"));--> statement-breakpoint
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
CREATE INDEX "visits_chain" ON "visits" USING btree ("chain_id","at","id");--> statement-breakpoint
CREATE INDEX "visits_page" ON "visits" USING btree ("page","at","id");--> statement-breakpoint
CREATE INDEX "visits_address_start" ON "visits" USING btree (lower("address") text_pattern_ops,"at") WHERE "visits"."address" is not null;--> statement-breakpoint
CREATE INDEX "visits_vault" ON "visits" USING btree ("vault_id","at") WHERE "visits"."vault_id" is not null;--> statement-breakpoint
CREATE INDEX "wallet_connections_last" ON "wallet_connections" USING btree ("last_at","id");--> statement-breakpoint
CREATE INDEX "wallet_connections_first" ON "wallet_connections" USING btree ("first_at","id");--> statement-breakpoint
CREATE INDEX "wallet_connections_times" ON "wallet_connections" USING btree ("times","id");--> statement-breakpoint
CREATE INDEX "wallet_connections_country" ON "wallet_connections" USING btree ("country","last_at","id");--> statement-breakpoint
CREATE INDEX "wallet_connections_chain" ON "wallet_connections" USING btree ("chain_id","last_at","id");--> statement-breakpoint
CREATE INDEX "wallet_connections_wallet" ON "wallet_connections" USING btree ("wallet","last_at","id");--> statement-breakpoint
CREATE INDEX "wallet_connections_address_start" ON "wallet_connections" USING btree (lower("address") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "wallet_events_at" ON "wallet_events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "bridge_refunds_withdrawal" ON "bridge_refunds" USING btree ("withdrawal_id");--> statement-breakpoint
CREATE INDEX "bridge_refunds_alarming" ON "bridge_refunds" USING btree ("seen_at") WHERE "bridge_refunds"."alarming" and "bridge_refunds"."freeze_id" is null;--> statement-breakpoint
CREATE INDEX "refund_intents_withdrawal" ON "refund_intents" USING btree ("withdrawal_id","action");--> statement-breakpoint
CREATE UNIQUE INDEX "withdrawals_deposit_live" ON "withdrawals" USING btree ("deposit_id") WHERE "withdrawals"."status" <> 'canceled';--> statement-breakpoint
CREATE UNIQUE INDEX "withdrawals_statement" ON "withdrawals" USING btree ("statement") WHERE "withdrawals"."statement" is not null;--> statement-breakpoint
CREATE INDEX "withdrawals_nonce" ON "withdrawals" USING btree ("nonce");--> statement-breakpoint
CREATE INDEX "withdrawals_created" ON "withdrawals" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "withdrawals_status_created" ON "withdrawals" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "withdrawals_status_amount" ON "withdrawals" USING btree ("status","amount","id");--> statement-breakpoint
CREATE INDEX "withdrawals_address" ON "withdrawals" USING btree ("address","created_at","id");--> statement-breakpoint
CREATE INDEX "withdrawals_address_start" ON "withdrawals" USING btree (lower("address") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "withdrawals_receiver" ON "withdrawals" USING btree ("receiver");--> statement-breakpoint
CREATE INDEX "withdrawals_amount_id" ON "withdrawals" USING btree ("amount","id");--> statement-breakpoint
CREATE INDEX "withdrawals_txid" ON "withdrawals" USING btree ("txid");--> statement-breakpoint
CREATE INDEX "withdrawals_request_hash" ON "withdrawals" USING btree (lower("request_hash"));--> statement-breakpoint
CREATE INDEX "withdrawals_confirm_hash" ON "withdrawals" USING btree (lower("confirm_hash"));
--> statement-breakpoint
CREATE VIEW "positions" AS
  SELECT id, trove_manager, trove_id, owner, opened_at, collateral, total_debt, icr, liquidation_price, 'open'::text AS status
    FROM troves WHERE read_at IS NOT NULL
  UNION ALL
  SELECT trove, split_part(trove, '-', 1), split_part(trove, '-', 2)::numeric(78, 0), owner,
      (SELECT max(o.at) FROM crsm_events o WHERE o.trove = last.trove AND o.name = 'Transfer'
        AND o.args::json ->> 'from' = '0x0000000000000000000000000000000000000000'),
      0::numeric(78, 0), 0::numeric(78, 0), 115792089237316195423570985008687907853269984665640564039457584007913129639935::numeric(78, 0), 0::numeric(78, 0),
      'closed'::text
    FROM (
      SELECT DISTINCT ON (trove) trove, args::json ->> 'from' AS owner, args::json ->> 'to' AS holder
      FROM crsm_events WHERE name = 'Transfer' AND trove IS NOT NULL ORDER BY trove, block DESC, log_index DESC
    ) last
    WHERE holder = '0x0000000000000000000000000000000000000000';
