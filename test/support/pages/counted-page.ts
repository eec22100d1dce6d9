/** The activity of a component test's page. Import this file first: the element keeps the functions that it finds. */
import { countActivity } from './activity.ts';

/** Real timers, for the test itself. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    realTimeout(resolve, milliseconds);
  });

const realTimeout = globalThis.setTimeout.bind(globalThis);

export const activity = countActivity();
