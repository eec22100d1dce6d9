ALTER TABLE "workspaces" ADD COLUMN "conversation_retention_days" integer;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "contact_retention_days" integer;--> statement-breakpoint
CREATE INDEX "conversations_age" ON "conversations" USING btree ("workspace_id","expires_at");