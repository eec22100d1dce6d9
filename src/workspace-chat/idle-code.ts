/** What is done when the browser is idle: code is loaded that is needed soon or by other agents of the page. Loaded then. */
import { loadWebMcp } from './load-web-mcp.ts';
import { ignoreFailures, prefetchProblemCode } from './problem-code.ts';
import { checkStarters } from './check-starters.ts';
import type { TeaserHost } from './teaser.ts';
import type { ViewHost } from './view-state.ts';
import type { WebMcpHost } from './web-mcp.ts';

const hosts = new WeakSet<WebMcpHost>();

/** The browser logs a failed request. The next call tries again. */
const loadTeaser = (host: TeaserHost): void => {
  import('./teaser.ts').then(
    ({ showTeaser }) => showTeaser(host),
    () => {},
  );
};

/** Prefetches what a click or a reply may need when the device is offline. A failure is retried then. */
const prefetch = (): void => ignoreFailures([import('../elements/sources.ts'), import('../elements/menu.ts')]);

/** Called at the first sign that the chat is opened, and when the browser is idle, and again when the page sets a teaser. */
export const runWhenIdle = (host: WebMcpHost & ViewHost & TeaserHost): void => {
  if (host.element.teaser !== null) loadTeaser(host);
  if (hosts.has(host)) return;
  hosts.add(host);
  checkStarters(host.element);
  prefetchProblemCode();
  prefetch();
  loadWebMcp(host);
};
