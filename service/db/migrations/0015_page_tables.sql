CREATE TABLE "contact_agents" (
	"contact_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "contact_agents_contact_id_agent_id_pk" PRIMARY KEY("contact_id","agent_id")
);
--> statement-breakpoint
CREATE TABLE "ticket_tags" (
	"ticket_id" text NOT NULL,
	"tag" text NOT NULL,
	"workspace_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ticket_tags_ticket_id_tag_pk" PRIMARY KEY("ticket_id","tag")
);
--> statement-breakpoint
ALTER TABLE "contact_agents" ADD CONSTRAINT "contact_agents_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_agents" ADD CONSTRAINT "contact_agents_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_tags" ADD CONSTRAINT "ticket_tags_ticket_id_tickets_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_tags" ADD CONSTRAINT "ticket_tags_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contact_agents_page" ON "contact_agents" USING btree ("agent_id","last_seen_at","contact_id");--> statement-breakpoint
CREATE INDEX "ticket_tags_page" ON "ticket_tags" USING btree ("workspace_id","tag","created_at","ticket_id");--> statement-breakpoint
-- The lock on the contact makes the time that is stored here the latest one.
CREATE FUNCTION "link_contact"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "contact_agents" ("contact_id", "agent_id", "last_seen_at")
	SELECT "id", NEW."agent_id", "last_seen_at" FROM "contacts" WHERE "id" = NEW."contact_id" FOR SHARE
	ON CONFLICT DO NOTHING;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION "move_linked_contact"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "contact_agents" SET "last_seen_at" = NEW."last_seen_at" WHERE "contact_id" = NEW."id";
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION "write_ticket_tags"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM "ticket_tags" WHERE "ticket_id" = NEW."id" AND "tag" <> ALL (NEW."tags");
	INSERT INTO "ticket_tags" ("ticket_id", "tag", "workspace_id", "created_at")
	SELECT NEW."id", "tag", NEW."workspace_id", NEW."created_at" FROM unnest(NEW."tags") AS "given" ("tag")
	ON CONFLICT DO NOTHING;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "conversations_link_contact" AFTER INSERT OR UPDATE OF "contact_id" ON "conversations"
	FOR EACH ROW WHEN (NEW."contact_id" IS NOT NULL) EXECUTE FUNCTION "link_contact"();--> statement-breakpoint
CREATE TRIGGER "leads_link_contact" AFTER INSERT OR UPDATE OF "contact_id" ON "leads"
	FOR EACH ROW WHEN (NEW."contact_id" IS NOT NULL) EXECUTE FUNCTION "link_contact"();--> statement-breakpoint
CREATE TRIGGER "contacts_move_linked" AFTER UPDATE OF "last_seen_at" ON "contacts"
	FOR EACH ROW WHEN (OLD."last_seen_at" IS DISTINCT FROM NEW."last_seen_at") EXECUTE FUNCTION "move_linked_contact"();--> statement-breakpoint
CREATE TRIGGER "tickets_write_tags" AFTER INSERT OR UPDATE OF "tags" ON "tickets"
	FOR EACH ROW EXECUTE FUNCTION "write_ticket_tags"();--> statement-breakpoint
INSERT INTO "contact_agents" ("contact_id", "agent_id", "last_seen_at")
	SELECT "linked"."contact_id", "linked"."agent_id", "contacts"."last_seen_at"
	FROM (SELECT "contact_id", "agent_id" FROM "conversations" UNION SELECT "contact_id", "agent_id" FROM "leads") AS "linked"
	JOIN "contacts" ON "contacts"."id" = "linked"."contact_id";--> statement-breakpoint
INSERT INTO "ticket_tags" ("ticket_id", "tag", "workspace_id", "created_at")
	SELECT DISTINCT "id", "tag", "workspace_id", "created_at" FROM "tickets", unnest("tags") AS "given" ("tag");
