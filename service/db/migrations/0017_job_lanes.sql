DROP INDEX "jobs_due";--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "last_attempt_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "holder" text;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "locked_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "is_failing" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "audit_entries_age" ON "audit_entries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "tool_calls_age" ON "tool_calls" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "deliveries_failed" ON "deliveries" USING btree ("endpoint_id","created_at","id") WHERE "deliveries"."status" = 'failed';--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("endpoint_id","next_attempt_at","id") WHERE "deliveries"."status" = 'pending' and "deliveries"."holder" is null;--> statement-breakpoint
CREATE INDEX "deliveries_in_flight" ON "deliveries" USING btree ("endpoint_id") WHERE "deliveries"."holder" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_recurring" ON "jobs" USING btree ("kind") WHERE "jobs"."kind" = 'prune';--> statement-breakpoint
CREATE INDEX "action_calls_age" ON "action_calls" USING btree ("at");--> statement-breakpoint
CREATE INDEX "jobs_due" ON "jobs" USING btree ("kind","run_at","id");--> statement-breakpoint
-- Deliveries were jobs before. Now each one has its own lease.
UPDATE "deliveries" SET "next_attempt_at" = "jobs"."run_at" FROM "jobs" WHERE "jobs"."kind" = 'deliver' AND "jobs"."payload"->>'delivery' = "deliveries"."id" AND "deliveries"."status" = 'pending';--> statement-breakpoint
DELETE FROM "jobs" WHERE "kind" = 'deliver';
