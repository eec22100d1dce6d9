/** Adds the styles of a lazily loaded element to its shadow root. */
import type { CSSResult } from 'lit';

/** @param element An element inside the shadow root. */
export const adoptStyles = (element: Element, { styleSheet }: CSSResult): void => {
  const root = element.getRootNode();
  if (!(root instanceof ShadowRoot) || !styleSheet || root.adoptedStyleSheets.includes(styleSheet)) return;
  root.adoptedStyleSheets.push(styleSheet);
};
