ALTER TABLE "idempotency_keys" ADD COLUMN "encrypted_members" text;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "caller_hash" text;