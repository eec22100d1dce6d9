/**
 * The lengths that are parts of calculations. Registered, a `0` needs no unit there, and a value that is not valid becomes the one
 * below. Not registered, in Firefox before 128, such a value ends each rule that uses it.
 */
const lengths = { 'offset-x': 20, 'offset-y': 20, 'launcher-size': 56, width: 400, height: 672 };

/** Registers the private properties that hold these lengths, for the document. */
export const registerLengths = (): void => {
  for (const [name, pixels] of Object.entries(lengths))
    try {
      CSS.registerProperty({
        name: `--_wc-${name}`,
        syntax: '<length-percentage>',
        inherits: true,
        initialValue: `${pixels}px`,
      });
    } catch {
      // Registered by another copy of the package, or not supported.
    }
};
