/** The URL gate: every link and address the widget makes from text passes here. */

const allowedPattern = /^(?:https?:\/\/|mailto:|tel:)/i;
// oxlint-disable-next-line no-control-regex
const controlPattern = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * The absolute URL that `text` names, as a browser reads it, or null when it must not become a link.
 *
 * Allowed are https, http, mailto and tel. Refused are other schemes, relative references (nothing is resolved against
 * the page), user names and passwords, and control characters, which browsers drop and so hide a scheme behind.
 */
export const safeUrl = (text: string): string | null => {
  const address = text.trim();
  if (controlPattern.test(text) || !allowedPattern.test(address) || !URL.canParse(address)) return null;
  const url = new URL(address);
  return url.username || url.password ? null : url.href;
};
