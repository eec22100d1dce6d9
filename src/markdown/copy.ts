/** The copy buttons of code blocks. */

/** How long a button says that the code was copied, in milliseconds. */
const FEEDBACK_TIME = 2000;

export interface CopyLabels {
  copy: string;
  copied: string;
}

/** Shows what a button is for, or what it has just done. */
export function labelCopyButton(button: Element, labels: CopyLabels): void {
  button.textContent = button.hasAttribute('data-copied') ? labels.copied : labels.copy;
}

/** Copies the code beside `button` and says so for a moment, in the language of that moment. */
export async function copyCode(button: Element, labels: () => CopyLabels): Promise<void> {
  const pre = button.closest('.md-code')!.querySelector('pre')!;
  if (!(await writeClipboard(pre))) return;
  // Live only now: a transcript must not be full of regions that may speak.
  button.setAttribute('aria-live', 'polite');
  button.setAttribute('data-copied', '');
  labelCopyButton(button, labels());
  setTimeout(() => {
    button.removeAttribute('aria-live');
    button.removeAttribute('data-copied');
    labelCopyButton(button, labels());
  }, FEEDBACK_TIME);
}

async function writeClipboard(pre: HTMLPreElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(pre.textContent ?? '');
    return true;
  } catch {
    // Refused, or not a secure context: the code is left selected, for the visitor's own key.
    getSelection()?.selectAllChildren(pre);
    return false;
  }
}
