/** Listens to the site's own relay, through which a person of the team answers in the conversation. */
import { sleep, type Clock } from '../api/clock.ts';
import { parseJson, toObject, toText } from '../api/decode-values.ts';
import { readEventStream } from '../api/event-stream.ts';
import { Watchdog, type Timeouts } from '../api/watchdog.ts';
import type { Conversation } from './conversation.ts';
import { digest } from './identity.ts';
import { lifetime } from './storage/peek.ts';
import { backoff } from '../api/backoff.ts';
import type { Visibility } from './visibility.ts';

export interface TeamRelayOptions {
  /** Absolute. */
  url: string;
  conversation: Conversation;
  fetch: typeof fetch;
  clock: Clock;
  random: () => number;
  visibility: Visibility;
}

/** A connection that says nothing may be half dead: a new one asks for what was missed. Milliseconds. */
const patience: Timeouts = { headers: 30_000, bytes: 90_000, whole: lifetime };

/** Answers by which the relay says that there is nothing to wait for. */
const finalStatuses = new Set([204, 401, 403]);

const proofOf = async (token: string): Promise<string> =>
  btoa(String.fromCharCode(...(await digest(token))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/**
 * Follows the conversation's relay until the answer is called: one connection while a conversation exists and the
 * page is seen, made again with `Last-Event-ID` after each end.
 */
export const followTeamRelay = (options: TeamRelayOptions): (() => void) => {
  const { conversation, visibility } = options;
  let following: { id: string; abort: AbortController } | null = null;
  const look = () => {
    const { pair } = conversation;
    if (pair?.conversationId === following?.id) return;
    following?.abort.abort();
    following = pair && { id: pair.conversationId, abort: new AbortController() };
    if (!pair || !following) return;
    // Without a secure context nothing can be proven to the relay.
    follow(options, pair, following.abort.signal).catch((error) => console.error('workspace-chat: no relay', error));
  };
  const unsubscribe = conversation.store.subscribe(look);
  look();
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
      try {
        const request = {
          headers: { ...headers, ...(lastEventId && { 'last-event-id': lastEventId }) },
          signal: AbortSignal.any([signal, hidden.signal]),
        };
        const isOver = await listen(options, address.href, request, (id) => {
          failures = 0;
          if (id) lastEventId = id;
        });
        if (isOver) return;
      } finally {
        stopWatching();
      }
    } catch {
      // Whatever ended the connection, the next one asks for what was missed.
    }
    if (hidden.signal.aborted) continue;
    await sleep(clock, backoff(failures, random), signal).catch(() => {});
  }
};

/** One connection; true when the relay has said that it was the last. */
const listen = async (
  { conversation, fetch, clock }: TeamRelayOptions,
  address: string,
  { headers, signal }: { headers: Record<string, string>; signal: AbortSignal },
  onEvent: (id: string | undefined) => void,
): Promise<boolean> => {
  const watchdog = new Watchdog(clock, patience);
  try {
    const response = await fetch(address, {
      headers,
      cache: 'no-store',
      signal: AbortSignal.any([signal, watchdog.signal]),
    });
    if (finalStatuses.has(response.status)) return true;
    if (!response.ok || !response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
      await response.body?.cancel();
      return false;
    }
    for await (const arrived of readEventStream(response.body, () => watchdog.feed())) {
      for (const { name, data, id } of arrived) {
        const value = parseJson(data);
        if (name === 'message') conversation.receive(value);
        if (name === 'conversation') {
          const { conversation_id, state } = toObject(value);
          conversation.receiveState(toText(conversation_id), toText(state));
        }
        onEvent(id);
      }
    }
    return false;
  } finally {
    watchdog.stop();
  }
};
