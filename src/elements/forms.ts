/** Submits the forms of the panel. */

/**
 * Submits the form of a button that was clicked. Enter in a field also clicks the button. In a sandboxed frame without
 * `allow-forms`, the browser does not even fire the event by which a form is handled, so the panel fires it in all frames.
 */
export const submitForm = (event: Event): void => {
  const button = (event.target as Element).closest('button');
  const form = button?.type === 'submit' && button.form;
  // Any other form is one of the page, in a slot or in a block that it renders.
  if (!form || !form.matches('.own-form') || event.defaultPrevented) return;
  event.preventDefault();
  form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
};
