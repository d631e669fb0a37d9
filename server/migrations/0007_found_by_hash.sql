CREATE INDEX "deposits_user_start" ON "deposits" USING btree (lower("user_address") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "deposits_cobo_start" ON "deposits" USING btree (lower("cobo_address") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "deposits_txid_start" ON "deposits" USING btree ("txid" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "withdrawals_txid" ON "withdrawals" USING btree ("txid");--> statement-breakpoint
CREATE INDEX "withdrawals_request_hash" ON "withdrawals" USING btree (lower("request_hash"));--> statement-breakpoint
CREATE INDEX "withdrawals_confirm_hash" ON "withdrawals" USING btree (lower("confirm_hash"));