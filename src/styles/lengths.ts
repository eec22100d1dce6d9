/** Registers private properties as lengths, so that a page's 0 without a unit is one in a calculation, and a word is not. */
import { attempt } from '../chat/storage/tab-flag.ts';

/** @param lengths What stands in place of a value that is no length, by the end of the name. */
export const registerLengths = (lengths: Readonly<Record<string, string>>): void => {
  for (const [name, initialValue] of Object.entries(lengths))
    // Another copy of the package may have done so. Older browsers use the value as it is.
    attempt(() =>
      CSS.registerProperty({
        name: `--_workspace-chat-${name}`,
        syntax: '<length-percentage>',
        inherits: true,
        initialValue,
      }),
    );
};
