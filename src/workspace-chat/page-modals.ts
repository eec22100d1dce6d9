/**
 * Finds what the page shows above everything else: modal dialogs of the browser, elements that a script shows with
 * `aria-modal="true"`, dialogs around which the page is hidden from assistive technology, and an element that fills the screen.
 */

const selector = '[aria-modal="true"]';
const hiddenSelector = '[aria-hidden="true"]';
/** What hides an element, or shows it. Observed only for the elements with `aria-modal`, and those around them. */
const attributeFilter = ['open', 'aria-modal', 'aria-hidden', 'inert', 'hidden', 'class', 'style'];
const ends = ['transitionend', 'transitioncancel', 'animationend', 'animationcancel'];

/** Returns the element around a node, also where that is in the shadow root of another component. */
const around = (node: Node): Node | null =>
  (node as Element).assignedSlot ?? node.parentNode ?? (node as ShadowRoot).host ?? null;

/** Returns an element and those around it. */
const pathOf = (element: Element): Element[] => {
  const path = [];
  for (let node: Node | null = element; node; node = around(node)) if (node instanceof Element) path.push(node);
  return path;
};

const isAround = (element: Element, chat: Element): boolean => pathOf(chat).includes(element);

const isInView = (element: Element): boolean => {
  const { width, height, top, bottom, left, right } = element.getBoundingClientRect();
  const hasPlace = width > 0 && height > 0 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  // Safari 17.0 to 17.3 lack checkVisibility().
  return hasPlace && (element.checkVisibility?.({ checkVisibilityCSS: true, checkOpacity: true }) ?? true);
};

/**
 * Whether a visitor sees an element with `aria-modal`. A closed menu keeps that, and stands beside the screen.
 * @param canBeHidden Whether it may be hidden from assistive technology.
 */
const isVisible = (element: Element, canBeHidden: boolean): boolean =>
  element.isConnected &&
  !element.closest('[inert]') &&
  (canBeHidden || !element.closest(hiddenSelector)) &&
  // The element itself may have no size, around content that fills the screen.
  [element, ...element.querySelectorAll(':scope>*, :scope>*>*')].some(isInView);

export class PageModals {
  readonly #chat: Element;
  readonly #onChange: () => void;
  readonly #attributes = new MutationObserver(() => this.#checkSoon());
  /** Notifies when an element comes into view, leaves it or is removed, whatever the reason. */
  readonly #boxes = new IntersectionObserver(() => this.check());
  /** The elements with `aria-modal`, and the dialogs in the shadow roots of other components. */
  readonly #followed = new Set<Element>();
  #shown: readonly Element[] = [];
  #frame = 0;
  #ended: AbortController | null = null;
  /** Whether the page shows a modal dialog that the chat is not part of. */
  isShown = false;
  /** How often something around the chat has come to the top layer, and covered what the chat had there. */
  coverCount = 0;

  /** @param chat The element that is not part of a modal dialog, unless it is inside. */
  constructor(chat: Element, onChange: () => void) {
    this.#chat = chat;
    this.#onChange = onChange;
  }

  connect(): void {
    if (this.#ended) return;
    this.#ended = new AbortController();
    const options = { capture: true, passive: true, signal: this.#ended.signal };
    this.#attributes.observe(document, { subtree: true, attributes: true, attributeFilter: ['open', 'aria-modal'] });
    for (const each of pathOf(this.#chat))
      this.#attributes.observe(each, { attributeFilter: ['inert', 'aria-hidden'] });
    // A dialog that a script adds takes the focus. Observing all changes of the page would cost more.
    document.addEventListener('focusin', (event) => this.check(event.composedPath()), options);
    document.addEventListener('fullscreenchange', this.#onFullscreen, options);
    for (const type of ends) document.addEventListener(type, this.#onAnimated, options);
    this.check();
  }

  disconnect(): void {
    this.#ended?.abort();
    this.#ended = null;
    this.#attributes.disconnect();
    this.#boxes.disconnect();
    this.#followed.clear();
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  readonly #onFullscreen = (): void => {
    const { fullscreenElement } = document;
    if (!fullscreenElement || !isAround(fullscreenElement, this.#chat)) return;
    this.coverCount++;
    this.#onChange();
  };

  readonly #onAnimated = ({ target }: Event): void => {
    const isMeant = (element: Element) => element.contains(target as Node) || (target as Node).contains(element);
    if ([...this.#followed].some(isMeant)) this.check();
  };

  /** A script may animate the styles of an element, with a change in each frame. */
  #checkSoon(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.check();
    });
  }

  /**
   * Looks at the page now.
   * @param path The places of an event, from the inside out.
   */
  check(path: readonly EventTarget[] = []): void {
    this.#follow(path);
    const before = this.#shown;
    this.#shown = this.#find();
    const own = this.#shown.filter((element) => isAround(element, this.#chat));
    const isShown = (this.#shown.length > 0 && own.length === 0) || this.#isIn('[inert]');
    const hasRisen = own.some((element) => !before.includes(element));
    if (hasRisen) this.coverCount++;
    else if (isShown === this.isShown) return;
    this.isShown = isShown;
    this.#onChange();
  }

  /** Whether the chat, or an element around it, matches a selector. */
  #isIn(matching: string): boolean {
    return pathOf(this.#chat).some((element) => element.matches(matching));
  }

  /**
   * Matches the elements that are modal while they are visible. The dialogs of Radix lack `aria-modal`: everything around them is
   * hidden from assistive technology instead. So it is around a menu, which has another role.
   */
  get #selector(): string {
    return this.#isIn(hiddenSelector) ? `${selector}, [role$=dialog]:not([aria-live])` : selector;
  }

  #find(): Element[] {
    const isOpen = (element: Element) =>
      element.matches('dialog')
        ? element.matches(':modal')
        : element.matches(this.#selector) &&
          // A menu that opens in a dialog without aria-modal hides the dialog, as it hides the chat.
          isVisible(element, this.#shown.includes(element) && !element.matches(selector));
    return [...new Set([...document.querySelectorAll('dialog:modal'), ...[...this.#followed].filter(isOpen)])];
  }

  #follow(path: readonly EventTarget[]): void {
    for (const element of this.#followed) {
      if (element.isConnected) continue;
      this.#followed.delete(element);
      for (const each of [element, ...element.children]) this.#boxes.unobserve(each);
    }
    const isOther = (node: EventTarget) => node instanceof Element && node.matches(`dialog, ${this.#selector}`);
    // The chat has a dialog of its own.
    const others = path.includes(this.#chat) ? [] : (path.filter(isOther) as Element[]);
    for (const element of [...document.querySelectorAll(this.#selector), ...others]) {
      if (this.#followed.has(element)) continue;
      this.#followed.add(element);
      for (const each of [element, ...element.children]) this.#boxes.observe(each);
      for (const each of pathOf(element)) this.#attributes.observe(each, { attributeFilter });
    }
  }
}
