/** Checks the values of the custom properties that the page has set: a browser ignores each rule that uses an invalid one. */

/** The ends of the names of the custom properties, by a CSS property that accepts the same values. */
export const kinds: Readonly<Record<string, string>> = {
  color:
    'accent on-accent surface text muted border info success warning danger on-header visitor-bubble on-visitor-bubble on-agent-bubble',
  background: 'surface-raised header backdrop agent-bubble',
  // Of the properties with a length, this one takes no word instead.
  'text-indent': 'width height offset-x offset-y launcher-size',
  'border-radius': 'radius button-radius field-radius launcher-radius bubble-radius',
  padding: 'space',
  'font-family': 'font',
  'font-size': 'font-size',
  'box-shadow': 'shadow',
  opacity: 'motion',
  'z-index': 'z-index',
};

/** Returns the declarations for the chats that are not valid, such as `--workspace-chat-offset-x: 20`. */
export const readInvalidProperties = (chats: Iterable<Element>): string[] =>
  [...chats].flatMap((chat) => {
    const style = getComputedStyle(chat);
    return Object.entries(kinds).flatMap(([property, names]) =>
      names.split(' ').flatMap((end) => {
        const name = `--workspace-chat-${end}`;
        const value = style.getPropertyValue(name).trim();
        return !value || CSS.supports(property, value) ? [] : [`${name}: ${value}`];
      }),
    );
  });
