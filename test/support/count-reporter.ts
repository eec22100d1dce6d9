/** A Playwright reporter that sends the number of passed, failed and skipped tests to the process that started it. */
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import type { Count } from './count.ts';

export default class CountReporter implements Reporter {
  readonly #count: Count = { passed: 0, failed: 0, skipped: 0 };

  /** A test that was expected to fail and did counts as passed. */
  onTestEnd(test: TestCase, { status }: TestResult): void {
    if (status === 'skipped') this.#count.skipped++;
    else this.#count[test.outcome() === 'expected' ? 'passed' : 'failed']++;
  }

  /** Errors outside of tests, such as a file that does not load or a setup that throws. */
  onError(): void {
    this.#count.failed++;
  }

  onEnd(): void {
    process.send?.(this.#count);
  }

  printsToStdio(): boolean {
    return false;
  }
}
