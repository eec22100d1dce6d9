/** Loads the exchange of tools with the page's WebMCP, where the browser has it. */
import type { WebMcpHost } from './web-mcp.ts';

/** Without the file, the chat has its own tools. */
export const loadWebMcp = (host: WebMcpHost): void => {
  if (!('modelContext' in document)) return;
  import('./web-mcp.ts').then(
    ({ exchangeTools }) => exchangeTools(host),
    () => {},
  );
};
