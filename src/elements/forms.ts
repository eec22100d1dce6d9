/** Submits the forms of the panel. */

/**
 * Submits the form of a button that was clicked. Enter in a field also clicks the button. In a sandboxed frame without
 * `allow-forms`, the browser does not even fire the event by which a form is handled, so the panel fires it in all frames.
 */
export const submitForm = (event: Event): void => {
  const button = (event.target as Element).closest('button');
  const form = button?.type === 'submit' && button.form;
  // A form that the page has placed in a slot is the page's own.
  if (!form || !(event.currentTarget as Element).contains(form)) return;
  event.preventDefault();
  if (form.noValidate || form.reportValidity())
    form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
};
