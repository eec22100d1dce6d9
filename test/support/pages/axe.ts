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

/** Runs `check` on a narrow and on a wide viewport. Resizing an open page is much faster than opening it twice. */
export const inBothWidths = async (page: Page, check: (width: string) => Promise<void>): Promise<void> => {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    // The page renders the change in the next frame.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    await check(`${width} px`);
  }
};
