/** Keeps the page behind a floating panel from scrolling while the pointer is over the panel. */

/** Whether an element scrolls at this turn of the wheel, and is not at its end. */
const scrollsAt = (element: Element, { deltaX, deltaY }: WheelEvent): boolean => {
  const { scrollTop, scrollHeight, clientHeight, scrollWidth, clientWidth } = element;
  const isVertical = Math.abs(deltaY) >= Math.abs(deltaX);
  const rest = deltaY > 0 ? scrollHeight - clientHeight - scrollTop : scrollTop;
  if (isVertical ? rest < 1 : scrollWidth <= clientWidth) return false;
  const { overflowX, overflowY } = getComputedStyle(element);
  return /auto|scroll/.test(isVertical ? overflowY : overflowX);
};

/**
 * Handles the wheel over a panel: keeps the event from the page, and cancels it where nothing inside scrolls. On a box without
 * overflow, `overscroll-behavior` has no effect.
 */
export const containScroll = (event: WheelEvent): void => {
  const path = event.composedPath();
  const inside = path.slice(0, path.indexOf(event.currentTarget!));
  // With Ctrl, the wheel zooms.
  if (event.ctrlKey) return;
  // A library of the page that scrolls by itself would cancel the event.
  event.stopPropagation();
  if (!inside.some((node) => node instanceof Element && scrollsAt(node, event))) event.preventDefault();
};
