/** Follows a page that the browser keeps while the visitor is on other pages of the tab. */
import type { ReactiveControllerHost } from 'lit';

/** Calls `onReturned` when the page returns from the back/forward cache, while the element is on the page. */
export const followReturns = (element: ReactiveControllerHost, onReturned: () => void): void => {
  const onPageShow = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) onReturned();
  };
  element.addController({
    hostConnected: () => addEventListener('pageshow', onPageShow),
    hostDisconnected: () => removeEventListener('pageshow', onPageShow),
  });
};
