/** The condition of what a search may find. */
import { sql } from 'drizzle-orm';

/** Leaves out rows `c` of a source `s` that is being indexed, and those of its earlier versions. */
export const isPublished = sql`(c.source_id is null or c.revision = s.indexed_revision)`;
