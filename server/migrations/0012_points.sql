CREATE INDEX "airdrops_address_start" ON "airdrops" USING btree (lower("address") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "point_balances_updated" ON "point_balances" USING btree ("updated_at","address");--> statement-breakpoint
CREATE INDEX "point_balances_address_start" ON "point_balances" USING btree (lower("address") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "points_size" ON "points" USING btree ("berries","id");--> statement-breakpoint
CREATE INDEX "points_address_start" ON "points" USING btree (lower("address") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "points_reason_grams" ON "points" USING gin (text_grams("reason"));