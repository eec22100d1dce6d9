/** Generates migrations from the schema: `npx drizzle-kit generate --config demo/service/drizzle.config.ts`. */
import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: './demo/service/db/schema.ts',
  out: './demo/service/db/migrations',
});
