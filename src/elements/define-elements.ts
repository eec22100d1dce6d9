/** The elements of a file, by their tags. */
export type Elements = Readonly<Record<string, CustomElementConstructor>>;

/** Defines custom elements. A tag that another copy of the package has defined keeps its class. */
export const defineElements = (elements: Elements): void => {
  for (const [name, constructor] of Object.entries(elements)) {
    if (!customElements.get(name)) customElements.define(name, constructor);
  }
};

/**
 * Defines the elements of a file that is being loaded. The browser logs a failed request, and the next rendering tries again.
 * @param host Gets the attribute `incomplete` when the file cannot be loaded.
 */
export const defineLater = (file: Promise<{ elements: Elements }>, host: Element): void => {
  file.then(
    ({ elements }) => defineElements(elements),
    () => host.setAttribute('incomplete', ''),
  );
};
