CREATE TABLE "monthly_usage" (
	"workspace_id" text NOT NULL,
	"month" text NOT NULL,
	"agent_id" text NOT NULL,
	"shard" integer NOT NULL,
	"conversations" integer NOT NULL,
	"messages" integer NOT NULL,
	CONSTRAINT "monthly_usage_workspace_id_month_agent_id_shard_pk" PRIMARY KEY("workspace_id","month","agent_id","shard")
);
--> statement-breakpoint
ALTER TABLE "monthly_usage" ADD CONSTRAINT "monthly_usage_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
INSERT INTO "monthly_usage" ("workspace_id", "month", "agent_id", "shard", "conversations", "messages")
	SELECT "workspace_id", "month", "agent_id", 0, sum("conversations"), sum("messages")
	FROM (
		SELECT "workspace_id", to_char("counted_at" AT TIME ZONE 'UTC', 'YYYY-MM-01') AS "month", "agent_id",
			count(*) AS "conversations", 0 AS "messages"
		FROM "conversations" WHERE "counted_at" IS NOT NULL GROUP BY 1, 2, 3
		UNION ALL
		SELECT "conversations"."workspace_id", to_char("messages"."created_at" AT TIME ZONE 'UTC', 'YYYY-MM-01'),
			"conversations"."agent_id", 0, count(*)
		FROM "messages" JOIN "conversations" ON "conversations"."id" = "messages"."conversation_id" GROUP BY 1, 2, 3
	) AS "counted"
	GROUP BY 1, 2, 3;--> statement-breakpoint
-- The quota does not read the conversations any more, and without the index counting one changes no index.
DROP INDEX "conversations_counted";
