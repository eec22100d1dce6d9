/**
 * Generates migrations from the schema: `npm run migrations --workspace service`. Each is compared with the newest snapshot, so
 * the repository keeps only that one: delete the one before.
 */
import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: './db/schema.ts',
  out: './db/migrations',
});
