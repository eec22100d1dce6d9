/** Adds styles that are loaded lazily to a shadow root. */
import type { CSSResult } from 'lit';

/** Looking a sheet up in `adoptedStyleSheets` is slow, and each message of a transcript does it. */
const adopted = new WeakMap<Node, Set<CSSResult>>();

/** @param node The shadow root, or an element inside it. */
export const adoptStyles = (node: Node, styles: CSSResult): void => {
  const root = node.getRootNode();
  if (!(root instanceof ShadowRoot) || adopted.get(root)?.has(styles)) return;
  const { styleSheet } = styles;
  if (!styleSheet) return;
  root.adoptedStyleSheets.push(styleSheet);
  const known = adopted.get(root);
  if (known) known.add(styles);
  else adopted.set(root, new Set([styles]));
};
