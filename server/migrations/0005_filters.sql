DROP INDEX "audit_actor";--> statement-breakpoint
DROP INDEX "audit_what";--> statement-breakpoint
CREATE INDEX "notices_platform_created" ON "notices" USING btree ("platform","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_kind" ON "audit" USING btree ("entity","at","id");--> statement-breakpoint
CREATE INDEX "audit_record" ON "audit" USING btree ("entity_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_outcome" ON "audit" USING btree ("result","at","id");--> statement-breakpoint
CREATE INDEX "visits_chain" ON "visits" USING btree ("chain_id","at","id");--> statement-breakpoint
CREATE INDEX "wallet_connections_chain" ON "wallet_connections" USING btree ("chain_id","last_at","id");--> statement-breakpoint
CREATE INDEX "wallet_connections_wallet" ON "wallet_connections" USING btree ("wallet","last_at","id");--> statement-breakpoint
CREATE INDEX "audit_actor" ON "audit" USING btree ("actor_email","at","id");--> statement-breakpoint
CREATE INDEX "audit_what" ON "audit" USING btree (coalesce("command", "route"),"at","id");