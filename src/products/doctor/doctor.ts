/** The doctor: finds out why a chat does not work on this page, and says how to fix it. */
import { sentences as ar } from './ar.ts';
import { diagnose, type CheckName, type Diagnosis, type FindingCode, type FindingState } from './diagnose.ts';
import { sentences as en } from './en.ts';
import { readInvalidAttributes } from './attributes.ts';
import { collectEvidence, unexaminedPage, type PageEvidence, type Probing } from './evidence.ts';
import { languageOf } from '../../locale/language.ts';
import type { Strings } from '../../locale/strings.ts';
import { readLanguages, readMissingLanguage } from './languages.ts';
import { readInvalidProperties } from './theme.ts';

export interface DoctorOptions {
  baseUrl?: string;
  publishableKey?: string;
  agentId?: string;
  /** Also asks the agent a real question, which counts as a conversation. */
  ask?: boolean;
  /** A BCP 47 tag. The browser's language by default. */
  locale?: string | null;
}

export interface Finding {
  check: CheckName;
  state: FindingState;
  /** The finding as a code, for programs. */
  code: FindingCode;
  /** The name of the check, for people. */
  title: string;
  /** The state, for people. */
  stateLabel: string;
  message: string;
  /** The instruction to fix the problem, or an empty string. */
  fix: string;
}

export interface DoctorReport {
  language: 'en' | 'ar';
  /** Whether no problem was found. Some checks may not have been possible. */
  isGood: boolean;
  summary: string;
  findings: Finding[];
}

/** Collects the diagnoses. Requests go only to `baseUrl`, and a key of the wrong kind is never sent. */
export const examine = async (
  { baseUrl = '', publishableKey = '', agentId = '', ask, locale }: DoctorOptions,
  ofPage: PageEvidence = unexaminedPage,
  fetch: typeof globalThis.fetch = globalThis.fetch.bind(globalThis),
  probing: Probing = ask ? 'question' : 'rejected',
): Promise<Diagnosis[]> => {
  const settings = { baseUrl, publishableKey, agentId };
  return diagnose(await collectEvidence(settings, ofPage, fetch, probing, languageOf(locale || navigator.language)));
};

/** Returns the report in words. */
export const explain = (diagnoses: readonly Diagnosis[], locale?: string | null): DoctorReport => {
  const language = languageOf(locale || navigator.language);
  const { checks, states, findings, summary } = { en, ar }[language];
  const problems = diagnoses.filter(({ state }) => state === 'problem').length;
  return {
    language,
    isGood: problems === 0,
    summary: summary(problems),
    findings: diagnoses.map(({ check, state, code, values }) => {
      const { message, fix = '' } = findings[code](values);
      return { check, state, code, title: checks[check], stateLabel: states[state], message, fix };
    }),
  };
};

const marks: Record<FindingState, string> = { ok: '✓', problem: '✗', unknown: '?' };

/** Formats the report as plain text, for a console or a message. */
export const describeReport = ({ summary, findings }: DoctorReport): string => {
  const lines = findings.flatMap(({ state, title, message, fix }) => [
    `${marks[state]} ${title}: ${message}`,
    ...(fix ? [`  → ${fix}`] : []),
  ]);
  return [summary, ...lines].join('\n');
};

/**
 * `WorkspaceChat('doctor')`: diagnoses the page, prints the report in the console, and returns it.
 * @param loadEnglish Loads the texts that a registered language must have.
 */
export const runDoctor = async (options: DoctorOptions, loadEnglish: () => Promise<Strings>): Promise<DoctorReport> => {
  // The page may have its element in a shadow root, or no element: only a script tag puts it into the document.
  const chats = options instanceof Element ? [options] : [...document.querySelectorAll('workspace-chat')];
  const ofPage: PageEvidence = {
    languages: await readLanguages(loadEnglish),
    // The texts of some languages are loaded with the chat.
    missingLanguage: chats.length > 0 ? readMissingLanguage(options.locale) : null,
    hasChat: chats.length > 0 || !('WorkspaceChat' in globalThis),
    invalidAttributes: readInvalidAttributes(options, chats),
    invalidProperties: readInvalidProperties(chats),
  };
  const report = explain(await examine(options, ofPage), options.locale);
  console.info(`workspace-chat: ${describeReport(report)}\n${{ en, ar }[report.language].note}`);
  return report;
};
