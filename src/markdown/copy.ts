/** The copy buttons: of code blocks, and of whole answers. */

/** How long a button says that the code was copied, in milliseconds. */
const feedbackTime = 2000;

export interface CopyLabels {
  copy: string;
  copied: string;
}

/** Shows what a button is for, or what it has just done. */
export const labelCopyButton = (button: Element, labels: CopyLabels): void => {
  button.textContent = button.hasAttribute('data-copied') ? labels.copied : labels.copy;
};

/**
 * Copies `text` and lets `button` say so for a moment, in the language of that moment.
 * @param shown Where the text stands, to be left selected where copying is refused.
 */
export const copyText = async (
  button: Element,
  text: string,
  shown: Element,
  labels: () => CopyLabels,
): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Refused, or not a secure context: the visitor's own key can copy what is selected.
    getSelection()?.selectAllChildren(shown);
    return;
  }
  // Live only now: a transcript must not be full of regions that may speak.
  button.setAttribute('aria-live', 'polite');
  button.setAttribute('data-copied', '');
  labelCopyButton(button, labels());
  setTimeout(() => {
    button.removeAttribute('aria-live');
    button.removeAttribute('data-copied');
    labelCopyButton(button, labels());
  }, feedbackTime);
};

/** Copies the code beside `button`. */
export const copyCode = (button: Element, labels: () => CopyLabels): Promise<void> => {
  const pre = button.closest('.md-code')!.querySelector('pre')!;
  return copyText(button, pre.textContent, pre, labels);
};
