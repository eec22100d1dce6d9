/** Knows whether the page listens for `workspace-chat-feedback` on an element, whose thumbs are shown then. */

/** The arguments of `addEventListener` and `removeEventListener`. */
export type ListenerArguments = [
  type: string,
  listener: EventListenerOrEventListenerObject,
  options?: boolean | AddEventListenerOptions,
];

export class FeedbackListeners {
  readonly #listeners = new Set<unknown>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  add(...[type, listener, options]: ListenerArguments): void {
    if (type !== 'workspace-chat-feedback') return;
    this.#listeners.add(listener);
    this.#onChange();
    const { signal } = Object(options) as AddEventListenerOptions;
    signal?.addEventListener('abort', () => this.remove(type, listener), { once: true });
  }

  remove(...[type, listener]: ListenerArguments): void {
    if (type === 'workspace-chat-feedback' && this.#listeners.delete(listener)) this.#onChange();
  }
}
