/** The URL gate: every link that the widget creates from text passes through it. */

const allowedPattern = /^(?:https?:\/\/|mailto:|tel:)/i;
// oxlint-disable-next-line no-control-regex
const controlPattern = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * Returns the absolute URL of `text` as a browser parses it, or null when it must not become a link.
 *
 * Allowed schemes are https, http, mailto and tel. Rejected are relative references, user names and passwords, and control
 * characters, which browsers remove, so that they can hide a scheme.
 */
export const safeUrl = (text: string): string | null => {
  const address = text.trim();
  if (controlPattern.test(text) || !allowedPattern.test(address) || !URL.canParse(address)) return null;
  const url = new URL(address);
  return url.username || url.password ? null : url.href;
};
