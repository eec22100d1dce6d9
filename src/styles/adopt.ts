/** Adds style sheets to a shadow root. A browser drops them when the element moves to another document. */

const adopted = new WeakMap<ShadowRoot, Set<CSSStyleSheet>>();

/** Adds the sheets, and all others again. In another document than that of the script, they wait for the return. */
export const adopt = (root: ShadowRoot, ...sheets: CSSStyleSheet[]): void => {
  const all = adopted.get(root) ?? new Set();
  adopted.set(root, all);
  // The page may have added its own.
  for (const sheet of [...root.adoptedStyleSheets, ...sheets]) all.add(sheet);
  if (root.ownerDocument === document) root.adoptedStyleSheets = [...all];
};
