/** The copy buttons of code blocks and of whole replies, and the labels of code blocks and tables. */

/** The time for which a button says that the text was copied, in milliseconds. */
const feedbackTime = 2000;

export interface CopyLabels {
  code: {
    /** The label of a copy button, before and after copying. */
    copy: string;
    copied: string;
  };
  tools: {
    /** Returns a sentence about something that has failed. */
    failed(title: string): string;
  };
}

export interface MarkdownLabels extends CopyLabels {
  code: CopyLabels['code'] & {
    /** Returns the accessible name of a code block for a language, or for an empty string. */
    code(language: string): string;
    /** The button below a table that is too wide. */
    table: string;
  };
  /** The sentence below that button when the file for it cannot be loaded. */
  problems: { network: string };
}

/** Sets a button's label. A button with an icon has only a title. */
export const labelCopyButton = (button: Element, { code: { copy, copied }, tools }: CopyLabels): void => {
  const label = button.hasAttribute('data-copied')
    ? copied
    : button.hasAttribute('data-failed')
      ? tools.failed(copy)
      : copy;
  if (button.hasAttribute('title')) button.setAttribute('title', label);
  else button.textContent = label;
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
  let result = 'copied';
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // The page's policy does not allow it, or the context is not secure. The older way needs neither, but a selection. If that is
    // not allowed either, the visitor can copy the selection.
    getSelection()?.selectAllChildren(shown);
    if (!document.execCommand('copy')) result = 'failed';
  }
  button.dispatchEvent(new CustomEvent('attention', { bubbles: true, detail: `text-${result}` }));
  button.setAttribute(`data-${result}`, '');
  labelCopyButton(button, labels());
  setTimeout(() => {
    button.removeAttribute(`data-${result}`);
    labelCopyButton(button, labels());
  }, feedbackTime);
};
