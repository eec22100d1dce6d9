/** A Playwright reporter that sends how many tests passed and were skipped, and the names of those that failed, to the process that started it. */
import type { FullConfig, Reporter, Suite, TestError } from '@playwright/test/reporter';
import { emptyCount, type Count } from './count.ts';

export default class CountReporter implements Reporter {
  readonly #count: Count = emptyCount();
  #suite: Suite | null = null;

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#suite = suite;
  }

  /** Errors outside of tests, such as a file that does not load or a setup that throws. */
  onError({ message = 'unknown error' }: TestError): void {
    this.#count.failures.push(message);
  }

  /** A test that was expected to fail and did counts as passed, and one that passed only when it was repeated as failed. */
  onEnd(): void {
    for (const test of this.#suite?.allTests() ?? []) {
      const outcome = test.outcome();
      if (outcome === 'skipped') this.#count.skipped++;
      else if (outcome === 'expected') this.#count.passed++;
      else
        this.#count.failures.push(
          `${test.titlePath().filter(Boolean).join(' › ')}${outcome === 'flaky' ? ' (passed when repeated)' : ''}`,
        );
    }
    process.send?.(this.#count);
  }

  printsToStdio(): boolean {
    return false;
  }
}
