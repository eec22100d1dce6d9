/** Isolates the runs of a text, and links e-mail addresses, once the code that finds them is loaded: see `runs.ts`. */
import type { Inline } from './syntax-tree.ts';

let runs: typeof import('./runs.ts') | null = null;

/** Loads the code. What was rendered before must be rendered again. */
export const importRuns = async (): Promise<void> => {
  runs ??= await import('./runs.ts');
};

/** Whether the text may have runs or addresses that only the code, which is not loaded, can find. */
export const lacksRuns = (text: string): boolean => runs === null && /[\p{Nd}@]/u.test(text);

/** Finishes inline content: see `runs.ts`. `isOpen` means that more text may follow. */
export const finishInline = (content: Inline[], isOpen: boolean): Inline[] =>
  runs?.finishInline(content, isOpen) ?? content;

/** Renders a text, with its runs isolated. See `renderRuns`. */
export const isolated = (text: string, openLink?: (url: string) => boolean): unknown =>
  runs?.renderRuns(text, openLink) ?? text;

/** Whether a run may go on after `text`, which ends before a space. */
export const mayContinueRun = (text: string): boolean => runs?.mayContinue(text) ?? false;
