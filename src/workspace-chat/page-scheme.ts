/** Follows the color scheme of the page. A page that names none leaves the choice to the system. */

/** Lets the parts of an element follow the system if neither the element nor the page around it has a color scheme. */
export const followPageScheme = (element: HTMLElement): void => {
  const hasScheme =
    getComputedStyle(element).colorScheme !== 'normal' || document.querySelector('meta[name=color-scheme i]');
  for (const root of element.shadowRoot!.querySelectorAll('.root')) root.classList.toggle('system-scheme', !hasScheme);
};
