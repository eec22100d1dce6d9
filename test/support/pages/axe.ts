/** What axe finds against WCAG 2.2 AA, in short. */
import axe from 'axe-core';
import type { Frame, Page } from 'playwright';

const standard = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** @param selector What is looked at; its best practices count too, which a test page's own need not. */
export const findings = async (page: Page | Frame, selector?: string): Promise<string[]> => {
  await page.evaluate(axe.source);
  const rules = selector ? [...standard, 'best-practice'] : standard;
  const context = selector ? `document.querySelector('${selector}')` : 'document';
  return page.evaluate<string[]>(
    `axe.run(${context}, { runOnly: ${JSON.stringify(rules)} }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary, target }) => id + ': ' + target + ' ' + html.slice(0, 160) + ' ' + failureSummary)))`,
  );
};
