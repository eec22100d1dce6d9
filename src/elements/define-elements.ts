/** Defines custom elements. A tag that another copy of the package has defined keeps its class. */
export const defineElements = (elements: Readonly<Record<string, CustomElementConstructor>>): void => {
  for (const [name, constructor] of Object.entries(elements)) {
    if (!customElements.get(name)) customElements.define(name, constructor);
  }
};
