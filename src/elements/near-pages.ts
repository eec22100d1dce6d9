/**
 * Knows which pages of the transcript are, or have been, near the view. The browser skips the layout of the others, so that what
 * nobody can see or focus in them need not be rendered. Loaded soon after the panel.
 */
import type { LitElement } from 'lit';

/** Whether the browser skips pages (see the styles of the transcript) and says when it stops skipping one. */
const canSkip =
  CSS.supports('overflow-anchor', 'auto') && 'oncontentvisibilityautostatechange' in HTMLElement.prototype;

const followed = new WeakSet<Element>();
const near = new WeakSet<Element>();

const onNear = (page: Element): void => {
  if (near.has(page)) return;
  near.add(page);
  for (const message of page.children as Iterable<LitElement>) message.requestUpdate();
};

const follow = (page: Element): void => {
  if (followed.has(page)) return;
  followed.add(page);
  page.addEventListener('contentvisibilityautostatechange', ({ skipped }: Event & { skipped?: boolean }) => {
    if (!skipped) onNear(page);
  });
  // The page may have been near the view before this code was loaded. The browser knows after the next frame.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (page.firstElementChild?.checkVisibility({ contentVisibilityAuto: true })) onNear(page);
    }),
  );
};

/** Whether a message is in a page that is, or has been, near the view. If not, the message is updated as soon as its page is. */
export const isNear = (message: LitElement): boolean => {
  const page = message.closest('.page');
  if (!canSkip || !page || near.has(page)) return true;
  // The last page is never skipped, and the one before it may be in view at once.
  const isLast = !page.nextElementSibling?.nextElementSibling;
  if (isLast) near.add(page);
  else follow(page);
  return isLast;
};
