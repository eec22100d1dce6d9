ALTER TABLE "agents" ADD COLUMN "knowledge_revision" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE FUNCTION "change_knowledge"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP <> 'INSERT' THEN
		UPDATE "agents" SET "knowledge_revision" = gen_random_uuid() WHERE "id" = OLD."agent_id";
	END IF;
	IF TG_OP = 'INSERT' OR (TG_OP = 'UPDATE' AND NEW."agent_id" <> OLD."agent_id") THEN
		UPDATE "agents" SET "knowledge_revision" = gen_random_uuid() WHERE "id" = NEW."agent_id";
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
-- The chunks of a source are found from its change of "indexed_revision" on. Those of an action are found at once.
CREATE FUNCTION "change_knowledge_of_chunks"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "agents" SET "knowledge_revision" = gen_random_uuid()
	WHERE "id" IN (SELECT "agent_id" FROM "changed_chunks" WHERE "source_id" IS NULL);
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "change_knowledge" AFTER DELETE OR UPDATE OF "agent_id", "name", "source_url", "indexed_revision" ON "sources"
	FOR EACH ROW EXECUTE FUNCTION "change_knowledge"();--> statement-breakpoint
CREATE TRIGGER "change_knowledge" AFTER INSERT OR UPDATE OR DELETE ON "actions"
	FOR EACH ROW EXECUTE FUNCTION "change_knowledge"();--> statement-breakpoint
CREATE TRIGGER "change_knowledge" AFTER INSERT OR UPDATE OR DELETE ON "lead_fields"
	FOR EACH ROW EXECUTE FUNCTION "change_knowledge"();--> statement-breakpoint
CREATE TRIGGER "change_knowledge_by_insert" AFTER INSERT ON "chunks"
	REFERENCING NEW TABLE AS "changed_chunks" FOR EACH STATEMENT EXECUTE FUNCTION "change_knowledge_of_chunks"();--> statement-breakpoint
CREATE TRIGGER "change_knowledge_by_update" AFTER UPDATE ON "chunks"
	REFERENCING NEW TABLE AS "changed_chunks" FOR EACH STATEMENT EXECUTE FUNCTION "change_knowledge_of_chunks"();--> statement-breakpoint
CREATE TRIGGER "change_knowledge_by_delete" AFTER DELETE ON "chunks"
	REFERENCING OLD TABLE AS "changed_chunks" FOR EACH STATEMENT EXECUTE FUNCTION "change_knowledge_of_chunks"();
