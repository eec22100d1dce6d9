/** Writes a generated file that is committed, in the form that `npm run check` demands. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

export const writeFormatted = (file: string | URL, text: string): void => {
  writeFileSync(file, text);
  execFileSync(process.execPath, ['node_modules/oxfmt/bin/oxfmt', file instanceof URL ? fileURLToPath(file) : file], {
    cwd: root,
    stdio: 'ignore',
  });
};
