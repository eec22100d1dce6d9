/** Data folders of services that start with a copy of one seeded database, because a copy takes less time than restoring an archive. */
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { openDatabase } from '../../../service/open-database.ts';

/** The time at which the clocks of the tests start. */
export const firstTime = Date.parse('2026-10-05T06:00:00.000Z');

/** The folder of a run of tests. Its processes inherit it, and the run removes it. */
const folder = process.env['TEST_FOLDER'];

/** Copying takes less time with fewer files: nobody creates another database from these two. */
const preparation = [
  'update pg_database set datistemplate = false',
  'drop database template0',
  'drop database template1',
  'checkpoint',
];

/** Workspaces whose names no test chooses. */
type Kind = 'demo' | 'empty';

const makeTemplate = async (kind: Kind, template: string, parent: string): Promise<void> => {
  const made = mkdtempSync(join(parent, 'template-'));
  const database = await openDatabase(
    // The archive of the demo is also that of `npm start`.
    { dataDir: made, workspace: kind, ...(kind === 'demo' ? {} : { now: () => firstTime }) },
    () => {},
    () => {},
  );
  for (const statement of preparation) await database.db.execute(sql.raw(statement));
  await database.close();
  try {
    renameSync(made, template);
  } catch {
    // Another process was faster.
    rmSync(made, { recursive: true });
  }
};

/** Returns a data folder with a new workspace. Returns undefined outside of a run, where a service restores its archive. */
export const seededFolder = async (kind: Kind): Promise<string | undefined> => {
  if (folder === undefined) return undefined;
  const template = join(folder, kind);
  if (!existsSync(template)) await makeTemplate(kind, template, folder);
  const copy = mkdtempSync(join(folder, 'data-'));
  cpSync(template, copy, { recursive: true });
  return copy;
};
