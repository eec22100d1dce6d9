/** Builds the widget once for all tests of a run; the workers find it by `WIDGET_FOLDER`. */
import { buildCdn, buildStandalone } from './servers/built-widget.ts';

/** Playwright calls the returned function after the last test. */
export default async (): Promise<() => Promise<void>> => {
  const { folder, remove } = await buildCdn();
  if (process.env['WIDGET_BUILD'] === 'standalone') await buildStandalone(folder);
  process.env['WIDGET_FOLDER'] = folder;
  return remove;
};
