/** The states of the element for style sheets, such as `:state(open)`. */

export const setState = (internals: ElementInternals, state: 'open' | 'busy' | 'unread', isOn: boolean): void => {
  const { states } = internals;
  // Chrome 114 to 124 accept only names with two dashes. Safari 17.0 to 17.3 have no states. A reply calls this with each delta.
  if (states?.has(state) === isOn || !CSS.supports('selector(:state(open))')) return;
  if (isOn) states.add(state);
  else states.delete(state);
};
