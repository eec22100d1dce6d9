/** Registers private properties as lengths, so that a page's 0 without a unit is one in a calculation, and a word is not. */

/** @param lengths The value that replaces one that is no length, by the end of the name. */
export const registerLengths = (lengths: Readonly<Record<string, string>>): void => {
  for (const [name, initialValue] of Object.entries(lengths))
    try {
      CSS.registerProperty({
        name: `--_workspace-chat-${name}`,
        syntax: '<length-percentage>',
        inherits: true,
        initialValue,
      });
    } catch {
      // Another copy of the package has done so, or an older browser uses the value as it is.
    }
};
