/** How many tests passed and were skipped, and the names of those that failed. */
export interface Count {
  passed: number;
  failures: string[];
  skipped: number;
}

export const emptyCount = (): Count => ({ passed: 0, failures: [], skipped: 0 });

export const add = (one: Count, other: Count): Count => ({
  passed: one.passed + other.passed,
  failures: [...one.failures, ...other.failures],
  skipped: one.skipped + other.skipped,
});

export const describeCount = ({ passed, failures, skipped }: Count): string =>
  `${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

const failurePrefix = 'FAILED: ';

/** One line for each failed test, so that the end of a long output names them. */
export const describeFailures = ({ failures }: Count): string =>
  failures.map((name) => `${failurePrefix}${name.replaceAll('\n', ' ')}\n`).join('');

/** Reads the names back from an output that ends with `describeFailures`. */
export const readFailures = (output: string): string[] =>
  output.split('\n').flatMap((line) => (line.startsWith(failurePrefix) ? line.slice(failurePrefix.length) : []));
