/** Creates the elements of rendered Markdown, without HTML strings and style attributes. */

/** Creates an element with attributes. */
export const createElement = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
): HTMLElementTagNameMap[Tag] => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};

/** Sets or removes an attribute if its value has changed. */
export const setAttribute = (element: Element, name: string, value: string | null): void => {
  if (element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
};

/**
 * Sets the direction of a container from its first text. `dir="auto"` would skip descendants with their own `dir`, such as
 * paragraphs and cells, and each change below it would cost in proportion to its size.
 */
export const setDirection = (container: Element, text: Element): void => {
  // Chrome has `:dir()` from version 120 on.
  const isRightToLeft = CSS.supports('selector(:dir(rtl))')
    ? text.matches(':dir(rtl)')
    : getComputedStyle(text).direction === 'rtl';
  setAttribute(container, 'dir', isRightToLeft ? 'rtl' : 'ltr');
};
