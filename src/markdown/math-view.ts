/** Renders formulas as MathML elements. Loaded with the first formula. */
import temml from 'temml';
import { setAttribute } from './create-element.ts';
import { adoptStyles } from './late-renderers.ts';
import { mathStyles } from './math-styles.ts';

/** The largest width and height of a box, in em, and the number of expanded macros: a formula cannot cover or freeze the page. */
const limits = { maxSize: [20, 20] as [number, number], maxExpand: 200 };

/**
 * Shows a formula in place of its source, which stays when it is not valid.
 * @param box The element with the source.
 * @param tex The formula without its delimiters.
 * @param isBlock Whether it has lines of its own.
 */
export const renderMath = (box: HTMLElement, tex: string, isBlock: boolean): void => {
  adoptStyles(box, mathStyles);
  const rendered = document.createElement('span');
  try {
    // Creates elements, and no text of HTML. Commands with a URL stay off.
    temml.render(tex, rendered, { displayMode: isBlock, throwOnError: true, trust: false, ...limits });
  } catch {
    return;
  }
  box.replaceChildren(...rendered.childNodes);
  // Some browsers give the keyboard no way to scroll. In a hidden panel nothing has a width yet.
  const update = () => setAttribute(box, 'tabindex', box.scrollWidth > box.clientWidth ? '0' : null);
  new ResizeObserver(update).observe(box);
};
