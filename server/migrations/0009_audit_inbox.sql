CREATE TABLE "audit_inbox" (
	"id" uuid PRIMARY KEY NOT NULL,
	"payload" text NOT NULL
);

--> statement-breakpoint
-- At the commit of the transaction that put it there, a text goes into the chain and leaves the inbox.
CREATE FUNCTION audit_take_in() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM audit_append(ARRAY[NEW.payload]);
  DELETE FROM audit_inbox WHERE id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER audit_take_in AFTER INSERT ON audit_inbox DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION audit_take_in();
