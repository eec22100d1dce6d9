/** A Playwright reporter that sends the number of passed, failed and skipped tests to the process that started it. */
import type { FullConfig, Reporter, Suite } from '@playwright/test/reporter';
import type { Count } from './count.ts';

export default class CountReporter implements Reporter {
  readonly #count: Count = { passed: 0, failed: 0, skipped: 0 };
  #suite: Suite | null = null;

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#suite = suite;
  }

  /** Errors outside of tests, such as a file that does not load or a setup that throws. */
  onError(): void {
    this.#count.failed++;
  }

  /** A test that was expected to fail and did counts as passed, and one that passed only when it was repeated as failed. */
  onEnd(): void {
    for (const test of this.#suite?.allTests() ?? []) {
      const outcome = test.outcome();
      if (outcome === 'skipped') this.#count.skipped++;
      else this.#count[outcome === 'expected' ? 'passed' : 'failed']++;
    }
    process.send?.(this.#count);
  }

  printsToStdio(): boolean {
    return false;
  }
}
