/** The install doctor: examines on this page why a chat would not work, and says in words what to do. */
import { sentences as ar } from './ar.ts';
import { diagnose, type CheckName, type Diagnosis, type FindingCode, type FindingState } from './diagnose.ts';
import { sentences as en } from './en.ts';
import { gather, type Surroundings } from './evidence.ts';
import { languageOf } from '../../locale/language.ts';
import { watchPolicy } from './policy.ts';
import { canStore } from './storage-probe.ts';

export interface DoctorOptions {
  baseUrl?: string;
  publishableKey?: string;
  agentId?: string;
  /** Asks the agent a real question as well, which counts as a conversation. */
  ask?: boolean;
  /** A BCP 47 tag; the browser's language when absent. */
  locale?: string;
}

export interface Finding {
  check: CheckName;
  state: FindingState;
  /** What was found, for programs. */
  code: FindingCode;
  /** The check's name, for people. */
  title: string;
  /** The state, for people. */
  stateLabel: string;
  says: string;
  /** What to do about it; empty where there is nothing to do. */
  todo: string;
}

export interface DoctorReport {
  language: 'en' | 'ar';
  /** No problem was found; something may still not have been examined. */
  isGood: boolean;
  summary: string;
  findings: Finding[];
}

const surroundings = (): Surroundings => ({
  fetch: globalThis.fetch.bind(globalThis),
  patience: 10_000,
  page: new URL(location.href),
  isOnline: navigator.onLine,
  watchPolicy,
  canStore,
});

/** Examines and tells nobody else. Nothing but `baseUrl` is asked; a key of the wrong kind is sent nowhere. */
export const examine = async (options: DoctorOptions, around = surroundings()): Promise<Diagnosis[]> => {
  const { baseUrl = '', publishableKey = '', agentId = '', ask = false } = options;
  const asks = { question: ask, locale: languageOf(options.locale ?? navigator.language) };
  return diagnose(await gather({ baseUrl, publishableKey, agentId }, around, asks));
};

/** What was found, in words. */
export const explain = (diagnoses: readonly Diagnosis[], locale?: string): DoctorReport => {
  const language = languageOf(locale ?? navigator.language);
  const { checks, states, findings, summary } = { en, ar }[language];
  const problems = diagnoses.filter(({ state }) => state === 'problem').length;
  return {
    language,
    isGood: problems === 0,
    summary: summary(problems),
    findings: diagnoses.map(({ check, state, code, particulars }) => {
      const { says, todo = '' } = findings[code](particulars);
      return { check, state, code, title: checks[check], stateLabel: states[state], says, todo };
    }),
  };
};

const marks: Record<FindingState, string> = { ok: '✓', problem: '✗', unknown: '?' };

/** The report as plain text, to read in a console or to send to somebody. */
export const describeReport = ({ summary, findings }: DoctorReport): string => {
  const lines = findings.flatMap(({ state, title, says, todo }) => [
    `${marks[state]} ${title}: ${says}`,
    ...(todo ? [`  → ${todo}`] : []),
  ]);
  return [summary, ...lines].join('\n');
};

/** `WorkspaceChat('doctor')`: examines, prints the report in the console, and answers it. */
export const runDoctor = async (options: DoctorOptions): Promise<DoctorReport> => {
  const report = explain(await examine(options), options.locale);
  console.info(`workspace-chat: ${describeReport(report)}\n${{ en, ar }[report.language].note}`);
  return report;
};
