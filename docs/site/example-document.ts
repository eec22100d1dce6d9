/**
 * Creates the document of a live example: the real widget, connected to the fake service of `workspace-chat/testing`. The site
 * and the tests show it in a frame.
 */
import type { LiveFence } from './live-fences.ts';

export interface ExampleCode extends LiveFence {
  /** What the reader sees and edits. */
  code: string;
  /** The file of `docs/examples`: it scripts the replies, and sends the first message. */
  preparation: string;
}

export interface ExampleEnvironment {
  /** The URLs of `workspace-chat`, `workspace-chat/client` and `workspace-chat/testing`. */
  modules: Readonly<Record<string, string>>;
  language: 'en' | 'ar';
  colorScheme: 'light' | 'dark';
}

/** Fired in the frame when the code of the example has run. */
const finished = `dispatchEvent(new Event('example-ready'));`;

/** The end tag of a script would end it, also within a string. */
const inScript = (code: string): string => code.replaceAll(/<\/(?=script)/gi, String.raw`<\/`);
const moduleScript = (code: string): string => `<script type="module">\n${inScript(code)}\n</script>`;

const styles = (colorScheme: string): string => `<style>
  :root { color-scheme: ${colorScheme}; font: 1rem/1.5 system-ui, sans-serif; background: light-dark(#fff, #1b1b1f); }
  html, body { block-size: 100%; margin: 0; }
  body:not(:has(> workspace-chat[mode='inline'])) { padding: 1rem; box-sizing: border-box; }
  workspace-chat[mode='inline'] { display: block; block-size: 100%; }
  .example-problem { position: fixed; inset: auto 0 0; margin: 0; padding: 0.75rem 1rem; white-space: pre-wrap;
    color: #fff; background: #8c1d18; font: 0.875rem/1.5 ui-monospace, monospace; z-index: 1; }
</style>`;

/** Shows an error of the code that the reader has edited. */
const problems = `<script>
  const showProblem = (text) => {
    const line = document.querySelector('.example-problem') ?? document.body.appendChild(document.createElement('pre'));
    line.className = 'example-problem';
    line.setAttribute('role', 'alert');
    line.textContent = text;
  };
  addEventListener('error', ({ message }) => showProblem(message));
  addEventListener('unhandledrejection', ({ reason }) => showProblem(String(reason)));
</script>`;

/**
 * Connects every element of the example to one fake service. The preparation and the example find the service and the first
 * element as `service` and `chat`. A preparation can set `respond`, which returns the replies to all messages.
 */
const connection = (colorScheme: string): string => `
import { configureTesting, createFakeService } from 'workspace-chat/testing';

const service = createFakeService({ respond: (text, request) => globalThis.respond?.(text, request) ?? text });
configureTesting(service);
for (const chat of document.querySelectorAll('workspace-chat')) {
  const { baseUrl, publishableKey, agentId } = service;
  Object.assign(chat, { baseUrl, publishableKey, agentId, storage: 'memory' });
  if (!chat.hasAttribute('color-scheme')) chat.setAttribute('color-scheme', '${colorScheme}');
}
Object.assign(globalThis, { service, chat: document.querySelector('workspace-chat') });`;

export const exampleDocument = (
  { language, code, preparation }: ExampleCode,
  { modules, language: pageLanguage, colorScheme }: ExampleEnvironment,
): string => {
  const body = language === 'html' ? code : '<workspace-chat mode="inline"></workspace-chat>';
  return `<!doctype html>
<html lang="${pageLanguage}" dir="${pageLanguage === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8" />
<title>Live example</title>
<script type="importmap">${JSON.stringify({ imports: modules })}</script>
${styles(colorScheme)}
${problems}
${language === 'css' ? `<style>\n${code.replaceAll(/<\/(?=style)/gi, String.raw`<\/`)}\n</style>` : ''}
</head>
<body>
${body}
${moduleScript(connection(colorScheme))}
${moduleScript(`import 'workspace-chat';`)}
${moduleScript(preparation)}
${moduleScript(language === 'js' ? `${code}\n${finished}` : finished)}
</body>
</html>`;
};
