/** Links bare URLs and addresses in a text, and isolates its runs, once the code that finds them is loaded: see `runs.ts`. */
import type { Inline } from './syntax-tree.ts';

type Runs = typeof import('./runs.ts');

let runs: Runs | null = null;

/** Loads the code. What was rendered before must be rendered again. */
export const importRuns = async (): Promise<void> => {
  runs ??= await import('./runs.ts');
};

/** Whether the text may have links or runs, and the code that finds them is not loaded. */
export const lacksRuns = (text: string): boolean => runs === null && /[\p{Nd}@]|:\/\/|www\./iu.test(text);

/** Returns where a bare URL may start in `text`, or -1. `before` is the character in front of the text. */
export const bareUrlStart = (text: string, before: string): number => runs?.bareUrlStart(text, before) ?? -1;

/** Parses the bare URL at `position`. */
export const bareUrl = (text: string, position: number): ReturnType<Runs['bareUrl']> =>
  runs?.bareUrl(text, position) ?? null;

/** Finishes inline content: see `runs.ts`. `isOpen` means that more text may follow. */
export const finishInline = (content: Inline[], isOpen: boolean): Inline[] =>
  runs?.finishInline(content, isOpen) ?? content;

/** Renders a text, with its runs isolated. See `renderRuns`. */
export const isolated = (text: string, openLink?: (url: string) => boolean): unknown =>
  runs?.renderRuns(text, openLink) ?? text;

/** Whether a run may go on after `text`, which ends before a space. */
export const mayContinueRun = (text: string): boolean => runs?.mayContinue(text) ?? false;
