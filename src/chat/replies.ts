/** Listens to the site's own relay, through which a person of the team answers in the conversation. */
import { sleep, type Clock } from '../api/clock.ts';
import { parseJson, toObject, toText } from '../api/decode-values.ts';
import { readEventStream } from '../api/event-stream.ts';
import type { Conversation } from './conversation.ts';
import { digest } from './identity.ts';
import { backoff } from './recovery.ts';
import type { Visibility } from './visibility.ts';

export interface RepliesOptions {
  /** Absolute. */
  url: string;
  conversation: Conversation;
  fetch: typeof fetch;
  clock: Clock;
  random: () => number;
  visibility: Visibility;
}

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
export const followReplies = (options: RepliesOptions): (() => void) => {
  const { conversation, visibility } = options;
  let following: { id: string; abort: AbortController } | null = null;
  const look = () => {
    const id = conversation.pair?.conversationId ?? null;
    if (id === (following?.id ?? null)) return;
    following?.abort.abort();
    following = id === null ? null : { id, abort: new AbortController() };
    if (following) void follow(options, following.abort.signal);
  };
  const unsubscribe = conversation.store.subscribe(look);
  look();
  return () => {
    unsubscribe();
    following?.abort.abort();
    visibility.close();
  };
};

const follow = async (options: RepliesOptions, signal: AbortSignal): Promise<void> => {
  const { clock, random, visibility } = options;
  let lastEventId = '';
  for (let failures = 0; !signal.aborted; failures++) {
    const hidden = new AbortController();
    try {
      await visibility.whenVisible(signal);
      const stopWatching = visibility.onHidden(() => hidden.abort());
      try {
        const isOver = await listen(options, lastEventId, AbortSignal.any([signal, hidden.signal]), (id) => {
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
  { url, conversation, fetch }: RepliesOptions,
  lastEventId: string,
  signal: AbortSignal,
  onEvent: (id: string | undefined) => void,
): Promise<boolean> => {
  const { pair } = conversation;
  if (!pair) return true;
  const address = new URL(url);
  address.searchParams.set('conversation_id', pair.conversationId);
  const response = await fetch(address.href, {
    headers: {
      accept: 'text/event-stream',
      'x-conversation-proof': await proofOf(pair.token),
      ...(lastEventId && { 'last-event-id': lastEventId }),
    },
    cache: 'no-store',
    signal,
  });
  if (finalStatuses.has(response.status)) return true;
  if (!response.ok || !response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel();
    return false;
  }
  for await (const { name, data, id } of readEventStream(response.body)) {
    const value = parseJson(data);
    if (name === 'message') conversation.receive(value);
    if (name === 'conversation') {
      const { conversation_id, state } = toObject(value);
      conversation.receiveState(toText(conversation_id), toText(state));
    }
    onEvent(id);
  }
  return false;
};
