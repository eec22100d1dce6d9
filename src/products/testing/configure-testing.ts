/** Configures the element for tests. */
import { replaceFetch } from '../../workspace-chat/native-fetch.ts';

export interface TestingOptions {
  /** Replaces the browser's `fetch`, for example with that of a fake service. */
  fetch: typeof fetch;
}

/**
 * Configures the conversations that start from now on: those of the element, and those of `createConversation` without a
 * `fetch` of their own. It works for the package, and not for the script tag.
 * @returns A function that restores the previous configuration.
 * @example afterEach(configureTesting({ fetch: service.fetch }));
 */
export const configureTesting = ({ fetch }: TestingOptions): (() => void) => replaceFetch(fetch);
