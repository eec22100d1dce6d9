/** Follows the site's relay of team replies at the element's current `repliesUrl`. Loaded when the element has one. */
import { systemClock as clock } from '../api/clock.ts';
import { resolveUrl } from '../chat/configuration.ts';
import type { Conversation } from '../chat/conversation.ts';
import { followTeamRelay } from '../chat/team-relay.ts';
import { pageVisibility } from '../chat/visibility.ts';

const { random } = Math;

export interface RelayOptions {
  repliesUrl: string | null;
  conversation: Conversation;
  fetch: typeof fetch;
}

/** Returns a function that stops following. */
export const followRelay = ({ repliesUrl, conversation, fetch }: RelayOptions): (() => void) => {
  const url = repliesUrl && resolveUrl(repliesUrl);
  return url ? followTeamRelay({ url, conversation, fetch, clock, random, visibility: pageVisibility() }) : () => {};
};
