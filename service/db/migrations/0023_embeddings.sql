ALTER TABLE "chunks" ADD COLUMN "embedding" real[];--> statement-breakpoint
ALTER TABLE "chunks" ADD COLUMN "embedding_model" text;