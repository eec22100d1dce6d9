/** Checks pages against WCAG 2.2 AA with axe. */
import axe from 'axe-core';
import type { Frame, Page } from 'playwright';

const standard = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * Returns one line for each violation that axe finds.
 * @param selector The element to check, with the rules of best practice too; otherwise the page, without them.
 */
export const accessibilityViolations = async (page: Page | Frame, selector?: string): Promise<string[]> => {
  await page.evaluate(axe.source);
  const rules = selector ? [...standard, 'best-practice'] : standard;
  const context = selector ? `document.querySelector('${selector}')` : 'document';
  return page.evaluate<string[]>(
    `axe.run(${context}, { runOnly: ${JSON.stringify(rules)} }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary, target }) => id + ': ' + target + ' ' + html.slice(0, 160) + ' ' + failureSummary)))`,
  );
};
