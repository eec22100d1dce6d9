/** One small interface to every browser engine, for the tests that must run in all of them. */

/** A CSS selector that also finds elements in open shadow roots, or the accessible name of a control. */
export type Target = string | { name: string };

/** The characters of a typed text that press a key without a character. */
export const namedKeys: Record<string, string> = { '\n': 'Enter', '\x1b': 'Escape' };

export interface Tab {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  click(target: Target): Promise<void>;
  /** Types text with the keyboard. `\n` presses Enter, and `\x1b` Escape. */
  type(target: Target, text: string): Promise<void>;
  /** Evaluates an expression in the page and returns its JSON value. Promises are awaited. */
  evaluate<Value>(expression: string): Promise<Value>;
  close(): Promise<void>;
}

export interface Driver {
  /** Opens a tab. All tabs share one profile. */
  openTab(): Promise<Tab>;
  close(): Promise<void>;
}

/** Returns an expression for the first matching element, or null. */
export const locate = (target: Target): string => `(() => {
  const name = ${JSON.stringify(typeof target === 'string' ? null : target.name)};
  const selector = ${JSON.stringify(typeof target === 'string' ? target : 'button, a, input, textarea, [role]')};
  const isMatch = (element) => name === null || (element.getAttribute('aria-label') ?? (element.textContent.trim() || element.title)) === name;
  const find = (root) => {
    for (const element of root.querySelectorAll(selector)) if (isMatch(element)) return element;
    for (const { shadowRoot } of root.querySelectorAll('*')) {
      const found = shadowRoot && find(shadowRoot);
      if (found) return found;
    }
    return null;
  };
  return find(document);
})()`;
