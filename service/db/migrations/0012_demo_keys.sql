CREATE TABLE "demo_keys" (
	"workspace_id" text PRIMARY KEY NOT NULL,
	"encrypted" text NOT NULL,
	"key_hashes" text[] NOT NULL
);
--> statement-breakpoint
ALTER TABLE "demo_keys" ADD CONSTRAINT "demo_keys_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;