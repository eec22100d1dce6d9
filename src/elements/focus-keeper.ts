/**
 * Moves focus on when the control that the visitor uses disappears or is disabled: a starter, an option, a consent prompt, the
 * Stop button. Otherwise the browser would give it to the page's body, and Escape and the next key would go to the page.
 */

/** Everything that can be focused, but for the text field and the transcript, which do not disappear. */
const controls = 'button, input, select, a, summary, [tabindex="0"]:not(.scroller)';

/** Returns whether the control can still have the focus. */
const isUsable = (control: Element): boolean =>
  control.isConnected && !control.matches(':disabled, [hidden], [hidden] *');

/** Whether neither the page nor another control of the panel has the focus. */
const isFocusLost = (panel: Element, control: Element): boolean => {
  const root = panel.getRootNode() as ShadowRoot;
  const { activeElement } = document;
  if (activeElement && activeElement !== document.body && activeElement !== root.host) return false;
  const inside = root.activeElement;
  return inside === null || inside === control || !panel.contains(inside);
};

/** @param moveOn Focuses what the visitor is likely to use next. */
export const keepFocus = (panel: Element, moveOn: () => void): void => {
  /** The control that has the focus or was clicked last. Safari does not focus a button that is clicked. */
  let used: Element | null = null;

  const check = (): void => {
    const control = used;
    if (!control || isUsable(control)) return;
    used = null;
    observer.disconnect();
    // Other code may be about to move focus itself: a menu that has opened, a field with an error.
    setTimeout(() => {
      if (isFocusLost(panel, control)) moveOn();
    });
  };

  const observer = new MutationObserver(check);

  /** Observes the panel only while a control can disappear: the composer cannot, so typing and streaming cost nothing. */
  const use = (target: EventTarget | null): void => {
    used = target instanceof Element ? target.closest(controls) : null;
    observer.disconnect();
    if (!used) return;
    const attributeFilter = ['disabled', 'hidden'];
    observer.observe(panel, { subtree: true, childList: true, attributes: true, attributeFilter });
  };

  panel.addEventListener('focusin', ({ target }) => use(target));
  panel.addEventListener('click', ({ target }) => use(target));
  panel.addEventListener('focusout', (event) => {
    // A browser may report the loss of focus before it removes the control.
    if ((event as FocusEvent).relatedTarget === null) setTimeout(check);
  });
};
