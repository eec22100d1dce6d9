/** Brings the styles of what is loaded later into the shadow root. */
import type { CSSResult } from 'lit';

/** @param element Stands in the shadow root. */
export const adoptStyles = (element: Element, { styleSheet }: CSSResult): void => {
  const root = element.getRootNode();
  if (!(root instanceof ShadowRoot) || !styleSheet || root.adoptedStyleSheets.includes(styleSheet)) return;
  root.adoptedStyleSheets.push(styleSheet);
};
