/** Examines the page's starters. Loaded when the browser is idle. */
import type { WorkspaceChatProperties } from './properties.ts';

/** Reports an attribute that is not a JSON array. */
export const checkStarters = (element: WorkspaceChatProperties): void => {
  if (element.hasAttribute('starters') && !Array.isArray(element.starters))
    console.error('workspace-chat: “starters” must be a JSON array of strings, such as ["When are you open?"].');
};
