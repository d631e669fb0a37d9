CREATE INDEX "withdrawals_address_start" ON "withdrawals" USING btree (lower("address") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "withdrawals_receiver" ON "withdrawals" USING btree ("receiver");--> statement-breakpoint
CREATE INDEX "withdrawals_amount_id" ON "withdrawals" USING btree ("amount","id");