/** What the doctor says, as a type: a language that lacks a sentence does not compile. */
import type { CheckName, FindingCode, FindingState, Particulars } from './diagnose.ts';

export interface Explanation {
  says: string;
  /** What to do about it; nothing where all is well. */
  todo?: string;
}

export interface DoctorSentences {
  checks: Record<CheckName, string>;
  states: Record<FindingState, string>;
  /** Above the findings, given how many problems there are. */
  summary: (problems: number) => string;
  /** Under a report in the console, where the browser logs each refusal. */
  note: string;
  findings: Record<FindingCode, (particulars: Particulars) => Explanation>;
}
