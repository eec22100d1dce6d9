/** Receives team replies from the site's own relay. */
import { receive, receiveState } from './team-message.ts';
import { anySignal } from '../api/abort.ts';
import { sleep, type Clock } from '../api/clock.ts';
import { conversationLifetimeMs } from '../../contract/limits.ts';
import { parseJson } from '../api/decode-values.ts';
import { readEventStream } from '../api/event-stream.ts';
import { Watchdog, type Timeouts } from '../api/watchdog.ts';
import type { Conversation } from './conversation.ts';
import { hasHashes, proofOf, reportMissingHashes } from './identity.ts';
import { backoff } from '../api/retry-delay.ts';
import type { Visibility } from './visibility.ts';

export interface TeamRelayOptions {
  /** The absolute URL of the relay. */
  url: string;
  conversation: Conversation;
  fetch: typeof fetch;
  clock: Clock;
  random: () => number;
  visibility: Visibility;
}

/** Milliseconds. A connection without data may be dead, so a new one requests what was missed. */
const timeouts: Timeouts = { headers: 30_000, idle: 90_000, total: conversationLifetimeMs };
/** Milliseconds after which data proves that a relay works: one that fails may send its first bytes, too. */
const provenAfter = 5_000;

/** HTTP statuses with which the relay ends the subscription. */
const finalStatuses = new Set([204, 401, 403]);

/**
 * Follows the relay of a conversation: one connection while a conversation exists and the page is visible, reopened with
 * `Last-Event-ID` after each end. Returns a function that stops it.
 */
export const followTeamRelay = (options: TeamRelayOptions): (() => void) => {
  const { conversation, visibility } = options;
  let following: { id: string; abort: AbortController } | null = null;
  const update = () => {
    const { credentials } = conversation;
    if (credentials?.conversationId === following?.id) return;
    following?.abort.abort();
    following = credentials && { id: credentials.conversationId, abort: new AbortController() };
    if (!credentials || !following) return;
    // The proof for the relay is a hash.
    if (!hasHashes()) return reportMissingHashes();
    follow(options, credentials, following.abort.signal).catch((error) =>
      console.error('workspace-chat: no relay', error),
    );
  };
  const unsubscribe = conversation.store.subscribe(update);
  update();
  return () => {
    unsubscribe();
    following?.abort.abort();
    visibility.close();
  };
};

const follow = async (
  options: TeamRelayOptions,
  { conversationId, token }: { conversationId: string; token: string },
  signal: AbortSignal,
): Promise<void> => {
  const { clock, random, visibility } = options;
  const address = new URL(options.url);
  address.searchParams.set('conversation_id', conversationId);
  const headers = { accept: 'text/event-stream', 'x-conversation-proof': await proofOf(token) };
  let lastEventId = '';
  for (let failures = 0; !signal.aborted; failures++) {
    const hidden = new AbortController();
    try {
      await visibility.whenVisible(signal);
      const stopWatching = visibility.onHidden(() => hidden.abort());
      const provenAt = clock.monotonic() + provenAfter;
      try {
        const request = {
          headers: { ...headers, ...(lastEventId && { 'last-event-id': lastEventId }) },
          signal: anySignal([signal, hidden.signal]),
        };
        const isOver = await readConnection(options, address.href, request, (id) => {
          if (clock.monotonic() > provenAt) failures = 0;
          if (id) lastEventId = id;
        });
        if (isOver) return;
      } finally {
        stopWatching();
      }
    } catch {
      // The next connection requests what was missed, whatever ended this one.
    }
    if (hidden.signal.aborted) continue;
    await sleep(clock, backoff(failures, random), signal).catch(() => {});
  }
};

/**
 * Reads one connection. Returns true when the relay has ended the subscription.
 * @param onData Called for each chunk, also for one that holds only comments, and with the id of each event.
 */
const readConnection = async (
  { conversation, fetch, clock }: TeamRelayOptions,
  address: string,
  { headers, signal }: { headers: Record<string, string>; signal: AbortSignal },
  onData: (id?: string) => void,
): Promise<boolean> => {
  const watchdog = new Watchdog(clock, timeouts);
  try {
    const response = await fetch(address, {
      headers,
      cache: 'no-store',
      signal: anySignal([signal, watchdog.signal]),
    });
    if (finalStatuses.has(response.status)) return true;
    if (!response.ok || !response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
      await response.body?.cancel();
      return false;
    }
    for await (const arrived of readEventStream(response.body)) {
      watchdog.reset();
      onData();
      for (const { name, data, id } of arrived) {
        const value = parseJson(data);
        if (name === 'message') receive(conversation, value);
        if (name === 'conversation') receiveState(conversation, value);
        onData(id);
      }
    }
    return false;
  } finally {
    watchdog.stop();
  }
};
