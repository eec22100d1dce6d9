/** Adds styles that are loaded lazily to a shadow root. */
import type { CSSResult } from 'lit';

/** @param node The shadow root, or an element inside it. */
export const adoptStyles = (node: Node, { styleSheet }: CSSResult): void => {
  const root = node.getRootNode();
  if (!(root instanceof ShadowRoot) || !styleSheet || root.adoptedStyleSheets.includes(styleSheet)) return;
  root.adoptedStyleSheets.push(styleSheet);
};
