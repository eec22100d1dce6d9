/** The site of the runs: its pages contain the widget and the script that acts for the visitor. */
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { widgetScript } from '../support/pages/fault.ts';
import type { PageSettings } from './page/settings.ts';

/** Bundles the script of the pages. */
export const bundlePageScript = async (): Promise<string> => {
  const entry = fileURLToPath(new URL('page/main.ts', import.meta.url));
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: false, target: 'es2022', lib: { entry, formats: ['iife'], name: 'monkeyPage' } },
  });
  const [first] = Array.isArray(built) ? built : [built];
  if (!first || !('output' in first)) throw new Error('The script of the pages was not bundled.');
  return first.output[0].code.replaceAll('</', String.raw`<\/`);
};

export const pageHtml = (pageScript: string, settings: PageSettings): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8"><link rel="icon" href="data:,"><title>A page</title>
<body>
<script>
window.monkeySettings = ${JSON.stringify(settings)};
${pageScript}
</script>
${widgetScript.tag}
</body></html>`;
