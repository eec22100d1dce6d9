/** Keeps an element on the page while navigations replace the page's content: Turbo, htmx, view transitions, scripts. */

/** An element that is removed this often within a second is left alone: another script insists. */
const maxReturns = 10;

/** The id by which Turbo keeps the element, and by which copies in restored pages are recognized. */
const id = 'workspace-chat-embed';

/** Adds the element to the page, in place of a copy that a restored page contains. */
export const mount = (element: HTMLElement): void => {
  const copy = [...document.querySelectorAll(`#${id}`)].find((found) => found !== element);
  element.id = id;
  element.dataset['turboPermanent'] = '';
  if (copy) copy.replaceWith(element);
  else if (!element.isConnected) document.body.append(element);
};

/**
 * Puts the element back before the next frame when it has been removed, so that its panel and a running reply stay.
 * @param shouldStay Whether the element belongs on the page.
 * @returns A function that ends this.
 */
export const keepMounted = (element: HTMLElement, shouldStay: () => boolean): (() => void) => {
  let focused: HTMLElement | null | undefined;
  let returns: number[] = [];
  // In the capture phase, because the panel keeps these events inside.
  const onFocusin = (event: Event) => {
    [focused] = event.composedPath() as HTMLElement[];
  };
  element.addEventListener('focusin', onFocusin, true);
  // Removing a focused element moves the focus without this event, or with it while the element is not connected.
  const onFocusout = () => {
    if (element.isConnected) focused = null;
  };
  element.addEventListener('focusout', onFocusout, true);
  const restore = () => {
    observe();
    if (!document.body || !shouldStay()) return;
    const isRemoved = !element.isConnected;
    const now = performance.now();
    returns = returns.filter((time) => now - time < 1000);
    if (isRemoved && returns.push(now) > maxReturns) {
      returns.pop();
      return;
    }
    mount(element);
    if (isRemoved) focused?.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(restore);
  // Each of them can be replaced, by one whose body comes later.
  const observe = () => {
    for (const node of [document, document.documentElement, document.body])
      if (node) observer.observe(node, { childList: true });
  };
  observe();
  return () => observer.disconnect();
};
