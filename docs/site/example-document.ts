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
  body { display: flex; flex-direction: column; }
  body > workspace-chat[mode='inline'] { display: block; flex: 1; min-block-size: 0; }
  .example-output { flex: none; max-block-size: 6rem; overflow: auto; margin: 0; padding: 0.5rem 1rem; white-space: pre-wrap;
    border-block-start: 1px solid light-dark(#dfe2e9, #383c46); font: 0.8125rem/1.5 ui-monospace, monospace; }
  .example-problem { color: light-dark(#8c1d18, #ff938a); }
</style>`;

/** Shows the output of the example, and the errors of the code that the reader has edited. */
const output = `<script>
  const showLine = (text, name = '') => {
    const output = document.querySelector('.example-output') ?? document.body.appendChild(document.createElement('div'));
    output.className = 'example-output';
    output.tabIndex = 0;
    output.setAttribute('role', 'log');
    output.setAttribute('aria-label', 'Output');
    const line = output.appendChild(document.createElement('div'));
    line.className = name;
    line.textContent = text;
  };
  const toText = (value) => (typeof value === 'string' ? value : JSON.stringify(value));
  console.log = (...values) => showLine(values.map(toText).join(' '));
  addEventListener('error', ({ message }) => showLine(message, 'example-problem'));
  addEventListener('unhandledrejection', ({ reason }) => showLine(String(reason), 'example-problem'));
</script>`;

/**
 * Connects every element of the example to one fake service. The preparation and the example find it as `service`, its
 * configuration as `settings`, and the first element as `chat`. A preparation can set `respond`, which returns the replies to
 * all messages.
 */
const connection = (colorScheme: string): string => `
import { configureTesting, createFakeService } from 'workspace-chat/testing';

const service = createFakeService({ respond: (text, request) => globalThis.respond?.(text, request) ?? text });
configureTesting(service);
const { baseUrl, publishableKey, agentId } = service;
const chats = document.querySelectorAll('workspace-chat');
for (const chat of chats) {
  const attributes = { 'base-url': baseUrl, 'publishable-key': publishableKey, 'agent-id': agentId, storage: 'memory' };
  for (const [name, value] of Object.entries(attributes)) chat.setAttribute(name, value);
  if (!chat.hasAttribute('color-scheme')) chat.setAttribute('color-scheme', '${colorScheme}');
}
Object.assign(globalThis, { service, settings: { baseUrl, publishableKey, agentId }, chat: chats[0] });`;

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
${output}
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
