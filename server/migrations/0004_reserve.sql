CREATE TABLE "reserve_proofs" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"signed" text,
	"at" timestamp (3) with time zone,
	"problem" text,
	"details" text,
	"problem_at" timestamp (3) with time zone,
	CONSTRAINT "reserve_proofs_one" CHECK ("reserve_proofs"."id" = 1)
);
