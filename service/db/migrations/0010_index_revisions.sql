ALTER TABLE "chunks" ADD COLUMN "revision" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "sources" ADD COLUMN "indexed_revision" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "chunks_source" ON "chunks" USING btree ("source_id","revision");--> statement-breakpoint
-- Compressing a text of 3 MB would block the embedded database for too long.
ALTER TABLE "sources" ALTER COLUMN "content" SET STORAGE EXTERNAL;--> statement-breakpoint
-- Without the pending list, no insert has to merge the entries of many others.
ALTER INDEX "chunks_vector" SET (fastupdate = off);
