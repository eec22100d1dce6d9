/** The copy buttons of code blocks and of whole replies, and the labels of code blocks and tables. */

/** The time for which a button says that the text was copied, in milliseconds. */
const feedbackTime = 2000;

export interface CopyLabels {
  /** The label of a copy button, before and after copying. */
  copy: string;
  copied: string;
}

export interface MarkdownLabels {
  code: CopyLabels & {
    /** Returns the accessible name of a code block for a language, or for an empty string. */
    code(language: string): string;
    /** The button below a table that is too wide. */
    table: string;
  };
  /** The sentence below that button when the file for it cannot be loaded. */
  problems: { network: string };
}

/** Sets a button's label. A button with an icon has only a title. */
export const labelCopyButton = (button: Element, { copy, copied }: CopyLabels): void => {
  if (!button.hasAttribute('title')) button.textContent = button.hasAttribute('data-copied') ? copied : copy;
};

/**
 * Copies `text` and shows the result on `button` for a moment.
 * @param shown The element with the text, which is selected when copying is not allowed.
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
    // Copying is not allowed, or the context is not secure: the visitor can copy the selection.
    getSelection()?.selectAllChildren(shown);
    return;
  }
  button.dispatchEvent(new CustomEvent('attention', { bubbles: true, detail: 'text-copied' }));
  button.setAttribute('data-copied', '');
  labelCopyButton(button, labels());
  setTimeout(() => {
    button.removeAttribute('data-copied');
    labelCopyButton(button, labels());
  }, feedbackTime);
};
