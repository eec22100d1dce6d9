import type { Language } from '../locale/language.ts';

/** The files behind the launcher: the stages, and the strings of each language. */
export interface StageFiles extends Readonly<Record<'stages' | Language, string>> {
  /** The URL of the folder, with a slash at its end. */
  readonly folder: string;
}

/** Null in the modules for npm, whose files are named by the bundler of the application. The build of the script tag sets it. */
export const stageFiles: StageFiles | null = null;
