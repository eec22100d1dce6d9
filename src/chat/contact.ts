/** The rule for a page that gives one `contact` function after another. */
import type { Contact } from './identity.ts';

/**
 * Whether a change of the contact only replaces a function by another one, as a page does when it renders again. Both may
 * return the same visitor.
 * @param isImmediate Whether the page has called `identify()`.
 */
export const isReplacement = (previous: Contact, contact: Contact, isImmediate: boolean): boolean =>
  !isImmediate && typeof previous === 'function' && typeof contact === 'function';
