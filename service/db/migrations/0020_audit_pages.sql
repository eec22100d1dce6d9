ALTER TABLE "audit_entries" ADD COLUMN "member_id" text;--> statement-breakpoint
CREATE INDEX "audit_entries_page" ON "audit_entries" USING btree ("workspace_id","created_at","id");