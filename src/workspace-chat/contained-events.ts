/** Keeps the events of the visitor's typing inside the panel, so that shortcuts and focus traps of the page do not react to them. */

const typingEvents = ['beforeinput', 'input', 'compositionstart', 'compositionupdate', 'compositionend'];
const clipboardEvents = ['copy', 'cut', 'paste'];
const focusEvents = ['focusin', 'focusout'];
const dragEvents = ['dragenter', 'dragover', 'dragleave', 'drop'];
const keyEvents = ['keydown', 'keypress', 'keyup'];

/** Whether a key press may be a shortcut of the page. With AltGr, a key writes a character. */
const isShortcut = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph');

/** Whether the page may handle a key press: a shortcut, or an Escape that has closed nothing. */
const isForPage = (event: Event): boolean =>
  event instanceof KeyboardEvent && (isShortcut(event) || (event.key === 'Escape' && !event.defaultPrevented));

/**
 * Stops the events that start inside the panel, after the panel has handled them. Events of the page's own elements, which
 * stand in slots, continue to the page. Listeners of the page in the capture phase run before, and cannot be stopped.
 */
export const containEvents = (root: ShadowRoot): void => {
  const stop = (event: Event): void => {
    const { target } = event;
    const isOurs = target instanceof Element && target.getRootNode() === root && target.closest('.panel') !== null;
    if (isOurs && !isForPage(event)) event.stopPropagation();
  };
  // The page may guard itself against files that are dropped beside a field, which the browser would open in its place.
  for (const type of ['dragover', 'drop'])
    root.addEventListener(type, (event) => {
      if ((event as DragEvent).dataTransfer?.types.includes('Files')) event.preventDefault();
    });
  for (const type of [...typingEvents, ...clipboardEvents, ...focusEvents, ...dragEvents, ...keyEvents])
    root.addEventListener(type, stop);
};
