/** The one way this folder makes elements: no HTML string, no style attribute. */

/** Creates an element with attributes. */
export const createElement = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
): HTMLElementTagNameMap[Tag] => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};

/** Sets an attribute to a value, or removes it, and leaves alone what is as it should be. */
export const setAttribute = (element: Element, name: string, value: string | null): void => {
  if (element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
};

/**
 * Gives a container the direction of its first text. Not by `dir="auto"`: that looks past descendants with a `dir` of
 * their own, which paragraphs and cells have, and each change below it costs in proportion to all it contains.
 */
export const takeDirection = (container: Element, text: Element): void => {
  setAttribute(container, 'dir', text.matches(':dir(rtl)') ? 'rtl' : 'ltr');
};
