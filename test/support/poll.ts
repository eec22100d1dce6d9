/** Assertions that are repeated until they hold. */
import { expect } from '@playwright/test';

/**
 * Evaluates `read` in short intervals until the matcher accepts its value, or the timeout of the project has passed.
 * @example await poll(() => server.chatCalls.length).toBe(2);
 */
export const poll = <Value>(read: () => Value | Promise<Value>, message?: string) =>
  expect.poll(read, { message, intervals: [20, 40, 80, 120] });
