-- version: 1.1.0
CREATE TABLE "maintenance_runs" (
	"kind" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"succeeded" boolean NOT NULL,
	"version" text NOT NULL
);
