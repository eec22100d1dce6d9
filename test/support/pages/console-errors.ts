/** Collects uncaught exceptions and console errors of pages. */
import type { BrowserContext } from 'playwright';

/** Adds the errors of all pages that `context` opens from now on to `errors`. */
export const collectErrors = (context: BrowserContext, errors: string[]): void => {
  context.on('page', (page) => {
    page.on('pageerror', (error) => errors.push(`uncaught ${error.stack ?? error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(`console ${message.text()} ${message.location().url}`);
    });
  });
};
