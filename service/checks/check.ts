/** A check of an installation: what it examines, and what it found. */

/** `warning`: the service runs, and the operator should know. */
export type Verdict = 'ok' | 'warning' | 'failed';

export interface Finding {
  verdict: Verdict;
  /** A sentence for the terminal. A failure also says what to do. */
  text: string;
}

export interface Check {
  name: string;
  run(): Promise<Finding>;
}

export const ok = (text: string): Finding => ({ verdict: 'ok', text });
export const warning = (text: string): Finding => ({ verdict: 'warning', text });
export const failed = (text: string): Finding => ({ verdict: 'failed', text });

/** Runs the checks one after the other, and writes a line for each. Returns whether none failed. */
export const runChecks = async (
  checks: Check[],
  write: (line: string) => void,
  describeError: (error: Error) => string,
): Promise<boolean> => {
  let hasFailed = false;
  for (const { name, run } of checks) {
    const { verdict, text } = await run().catch((error: unknown) =>
      failed(error instanceof Error ? describeError(error) : String(error)),
    );
    if (verdict === 'failed') hasFailed = true;
    write(`${verdict.padEnd(8)} ${name.padEnd(11)} ${text}`);
  }
  return !hasFailed;
};
