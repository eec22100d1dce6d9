/** Builds the widget unless `WIDGET_FOLDER` names a build. The workers find the build by that name. */
import { startDemo } from './pages/visit.ts';
import { startBuildServer } from './servers/build-server.ts';
import { buildStandalone, sharedCdn } from './servers/built-widget.ts';

/** Playwright calls the returned function after the last test. */
export default async (): Promise<() => Promise<void>> => {
  const { folder, remove } = await sharedCdn();
  if (process.env['WIDGET_BUILD'] === 'standalone') await buildStandalone(folder);
  process.env['WIDGET_FOLDER'] = folder;
  const stopBuilds = await startBuildServer();
  // Bundles the packages of the demo's pages, before the demos of several workers share them.
  if (process.env['HAS_DEMO']) await (await startDemo()).close();
  return async () => {
    await stopBuilds();
    await remove();
  };
};
