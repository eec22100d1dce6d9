CREATE TABLE "action_calls" (
	"id" text PRIMARY KEY NOT NULL,
	"action_id" text NOT NULL,
	"conversation_id" text,
	"ticket_id" text,
	"outcome" text NOT NULL,
	"reason" text,
	"detail" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"latency_ms" integer,
	"inputs" text[] DEFAULT '{}' NOT NULL,
	"sealed_arguments" text,
	"approval" jsonb,
	"result" jsonb,
	"preview" boolean DEFAULT false NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "verified_hosts" (
	"agent_id" text NOT NULL,
	"host" text NOT NULL,
	"verified_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "verified_hosts_agent_id_host_pk" PRIMARY KEY("agent_id","host")
);
--> statement-breakpoint
ALTER TABLE "actions" ADD COLUMN "method" text DEFAULT 'POST' NOT NULL;--> statement-breakpoint
ALTER TABLE "actions" ADD COLUMN "url_template" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "actions" ADD COLUMN "output_pick" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "actions" ADD COLUMN "data_access" text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE "actions" ADD COLUMN "requires_approval" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "actions" ADD COLUMN "header_names" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "actions" ADD COLUMN "sealed_headers" text;--> statement-breakpoint
ALTER TABLE "action_calls" ADD CONSTRAINT "action_calls_action_id_actions_id_fk" FOREIGN KEY ("action_id") REFERENCES "public"."actions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "action_calls" ADD CONSTRAINT "action_calls_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "action_calls" ADD CONSTRAINT "action_calls_ticket_id_tickets_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."tickets"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "verified_hosts" ADD CONSTRAINT "verified_hosts_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "action_calls_page" ON "action_calls" USING btree ("action_id","at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "action_calls_conversation" ON "action_calls" USING btree ("conversation_id");