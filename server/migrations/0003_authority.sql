CREATE TABLE "authority_lines" (
	"number" integer PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"line" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "authority_lines_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE FUNCTION authority_lines_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the authority log is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
CREATE TRIGGER authority_lines_stay BEFORE UPDATE OR DELETE ON authority_lines FOR EACH ROW EXECUTE FUNCTION authority_lines_stay();
--> statement-breakpoint
CREATE TRIGGER authority_lines_stay_all BEFORE TRUNCATE ON authority_lines FOR EACH STATEMENT EXECUTE FUNCTION authority_lines_stay();
