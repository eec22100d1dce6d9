/** The renderers that are loaded with the first text that needs them. Until then, and without them, a visitor reads the source. */
import type { CSSResult } from 'lit';
import { adopt } from '../styles/adopt.ts';
import type { MathFormula } from './syntax-tree.ts';

export interface LateFile<Content> {
  readonly value: Content | null;
  load(): Promise<Content>;
}

export interface LateRenderers {
  /** Null in a build of one script. */
  math: LateFile<(box: HTMLElement, tex: string, isBlock: boolean) => void> | null;
  /** Null in a build of one script. */
  codeColors: LateFile<(code: HTMLElement, language: string) => void> | null;
  wholeTable: LateFile<(scroller: HTMLElement) => void>;
}

let late: LateRenderers | null = null;

/** @param renderers Given by the panel. */
export const useLateRenderers = (renderers: LateRenderers): void => {
  late = renderers;
};

/** Calls the renderer at once when it is loaded. The next text that needs it tries again. */
const withFile = <Content>(file: LateFile<Content> | null | undefined, render: (content: Content) => void): void => {
  if (file?.value) render(file.value);
  else void file?.load().then(render, () => {});
};

/** Shows a formula in an element that Lit and the cursor leave alone. */
export const showFormula = (box: HTMLElement, { text, tex, isBlock }: MathFormula): void => {
  if (box.dataset['source'] === text) return;
  box.dataset['source'] = box.textContent = text;
  box.className = isBlock ? 'md-math block' : 'md-math';
  box.dir = 'ltr';
  withFile(late?.math, (render) => {
    if (box.dataset['source'] === text) render(box, tex, isBlock);
  });
};

/** Colors a code block that never changes again. */
export const colorCode = (code: HTMLElement, language: string): void => {
  if (language && 'highlights' in CSS) withFile(late?.codeColors, (color) => color(code, language));
};

/**
 * Shows a table that is too wide for its message in a dialog.
 * @throws {Error} When its file cannot be loaded.
 */
export const showWholeTable = async (scroller: HTMLElement): Promise<void> => {
  const show = await late?.wholeTable.load();
  show?.(scroller);
};

/** Adds the styles of a late renderer to the shadow root of an element. */
export const adoptStyles = (element: Element, { styleSheet }: CSSResult): void => {
  const root = element.getRootNode();
  // An element that was removed meanwhile has another root.
  if (root instanceof ShadowRoot) adopt(root, styleSheet!);
};
