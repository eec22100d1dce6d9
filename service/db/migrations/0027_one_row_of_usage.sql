ALTER TABLE "monthly_usage" DROP CONSTRAINT "monthly_usage_workspace_id_month_agent_id_shard_pk";--> statement-breakpoint
-- The rows of an agent and month become one.
INSERT INTO "monthly_usage" ("workspace_id", "month", "agent_id", "shard", "conversations", "messages")
	SELECT "workspace_id", "month", "agent_id", 8, sum("conversations"), sum("messages") FROM "monthly_usage" GROUP BY 1, 2, 3;--> statement-breakpoint
DELETE FROM "monthly_usage" WHERE "shard" < 8;--> statement-breakpoint
ALTER TABLE "monthly_usage" ADD CONSTRAINT "monthly_usage_workspace_id_month_agent_id_pk" PRIMARY KEY("workspace_id","month","agent_id");--> statement-breakpoint
ALTER TABLE "monthly_usage" DROP COLUMN "shard";