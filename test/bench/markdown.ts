/**
 * Measures how long Chromium needs to render Markdown that grows by 5 characters per update, in milliseconds: the slowest
 * update until 10,000 characters, the total for 8,000 and for 64,000 characters, and the growth exponent between the totals. Run `npx tsx test/bench/markdown.ts`.
 */
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { launchBrowser } from '../support/browsers/chromium.ts';

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

const bundle = async (entry: string, external: string[] = []): Promise<string> => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: pathOf(entry), formats: ['es'] },
      rolldownOptions: { external, output: { minify: true, codeSplitting: false } },
    },
  });
  const [{ output }] = [built].flat() as Rolldown.RolldownOutput[] as [Rolldown.RolldownOutput];
  return output[0].code;
};

const module = await bundle('../../src/markdown/index.ts', ['lit']);
console.log(`src/markdown: ${module.length} bytes minified, ${brotliCompressSync(module).length} brotli`);

const code = await bundle('markdown-page.ts');
const browser = await launchBrowser();
try {
  const page = await browser.newPage();
  const lines = await page.evaluate(async (source) => {
    const { runBench } = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(source)}`);
    return (await runBench()) as string[];
  }, code);
  console.log(lines.join('\n'));
} finally {
  await browser.close();
}
