-- A generated column takes immutable functions only. The encoding of the database never changes.
CREATE FUNCTION "text_sha256"(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
	SELECT encode(sha256(convert_to($1, 'UTF8')), 'hex')
$$;--> statement-breakpoint
-- One statement, so that the table is written once.
ALTER TABLE "sources"
	ADD COLUMN "content_bytes" integer GENERATED ALWAYS AS (octet_length("sources"."content")) STORED,
	ADD COLUMN "content_characters" integer GENERATED ALWAYS AS (length("sources"."content")) STORED,
	ADD COLUMN "content_sha256" text GENERATED ALWAYS AS (text_sha256("sources"."content")) STORED;
