ALTER TABLE "notices" ADD COLUMN "status" text DEFAULT 'pending' NOT NULL;--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "last_error" text;--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "sent_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "notices_page" ON "notices" USING btree ("workspace_id","created_at","id");--> statement-breakpoint
-- No job sends the notices of before.
UPDATE "notices" SET "status" = 'stored';