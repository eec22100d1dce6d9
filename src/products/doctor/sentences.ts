/** The type of the doctor's strings. A language that lacks one does not compile. */
import type { CheckName, FindingCode, FindingState, FindingValues } from './diagnose.ts';

export interface Explanation {
  message: string;
  /** The instruction to fix the problem, if there is one. */
  fix?: string;
}

export interface DoctorSentences {
  checks: Record<CheckName, string>;
  states: Record<FindingState, string>;
  /** The line above the findings. */
  summary: (problems: number) => string;
  /** The note below a report in the console, which also shows the browser's own log of rejected requests. */
  note: string;
  findings: Record<FindingCode, (values: FindingValues) => Explanation>;
}
