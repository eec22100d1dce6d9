/** Decodes the service's responses and events into wire types. Unknown fields are ignored, and nothing throws. */
import { decodeBlocks } from './decode-blocks.ts';
import {
  compact,
  isObject,
  parseJson,
  toObject,
  toObjects,
  toOptionalText,
  toOptionalTime,
  toText,
} from './decode-values.ts';
import type { ServerSentEvent } from './event-stream.ts';
import type { Block, ChatResponse, JsonObject, Message, Source } from '../../contract/wire.ts';

/** A decoded event of the chat stream (the contract's "Chat stream events"). */
export type StreamEvent =
  | { type: 'delta'; text: string }
  | { type: 'sources'; sources: Source[] }
  | { type: 'blocks'; blocks: Block[] }
  /** `data` is decoded by the code that runs client tools. */
  | { type: 'client_tool'; data: JsonObject }
  | { type: 'done'; response: ChatResponse }
  | { type: 'error'; error: ErrorFields };

/** The members of an error body that the widget uses. */
export interface ErrorFields {
  code: string;
  message: string;
  requestId: string;
}

export const decodeSources = (value: unknown): Source[] =>
  toObjects(value).flatMap((item) => {
    const file_id = toText(item['file_id']);
    const title = toOptionalText(item['title']);
    const filename = toText(item['filename']) || title || '';
    return filename ? compact({ file_id, filename, title, url: toOptionalText(item['url']) }) : [];
  });

/** Decodes a message. Returns null when it has neither text nor blocks. */
export const decodeMessage = (value: unknown): Message | null => {
  if (!isObject(value)) return null;
  const content = toText(value['content']);
  const blocks = decodeBlocks(value['blocks']);
  if (!content && !blocks) return null;
  return compact({
    id: toText(value['id']),
    role: toText(value['role']) || 'assistant',
    content,
    actor_type: toOptionalText(value['actor_type']),
    blocks,
    lang: toOptionalText(value['lang']),
    created_at: toOptionalTime(value['created_at']),
    outcome: toOptionalText(value['outcome']),
    refused: value['refused'] === true,
    sources: decodeSources(value['sources']),
  });
};

/** Decodes a chat response. Returns null when it has no conversation id, which every response of the service has. */
export const decodeChatResponse = (value: unknown): ChatResponse | null => {
  const data = toObject(value);
  const conversation_id = toText(data['conversation_id']);
  if (!conversation_id) return null;
  return compact({
    conversation_id,
    conversation_token: toOptionalText(data['conversation_token']),
    message: decodeMessage(data['message']),
    outcome: toOptionalText(data['outcome']),
    refused: data['refused'] === true,
    sources: decodeSources(data['sources']),
    state: toOptionalText(data['state']),
    lead_captured: data['lead_captured'] === true,
    limit: toOptionalText(data['limit']),
    degraded: data['degraded'] === true,
  });
};

/** Decodes the contract's error envelope. Returns null for any other body. */
export const decodeError = (value: unknown): ErrorFields | null => {
  const error = toObject(toObject(value)['error']);
  const code = toText(error['code']);
  return code ? { code, message: toText(error['message']), requestId: toText(error['request_id']) } : null;
};

/**
 * Decodes one event of the chat stream. Returns null for an event that is unknown or cannot be read, and for `outcome`: `done`
 * carries the same data together with the message.
 */
export const decodeStreamEvent = (name: string, text: string): StreamEvent | null => {
  const value = parseJson(text);
  const data = toObject(value);
  switch (name) {
    case 'delta': {
      const delta = toText(data['text']);
      return delta ? { type: 'delta', text: delta } : null;
    }
    case 'sources':
      return { type: 'sources', sources: decodeSources(data['sources'] ?? value) };
    case 'blocks': {
      const blocks = decodeBlocks(data['blocks'] ?? value);
      return blocks ? { type: 'blocks', blocks } : null;
    }
    case 'client_tool':
      return { type: 'client_tool', data };
    case 'done': {
      const response = decodeChatResponse(data);
      return response && { type: 'done', response };
    }
    case 'error': {
      // An error of an unknown shape still ends the reply.
      const bare = { code: toText(data['code']), message: toText(data['message']), requestId: '' };
      return { type: 'error', error: decodeError(value) ?? bare };
    }
    default:
      return null;
  }
};

/** Decodes the events of one network chunk. Merges consecutive deltas, of which a fast reply has thousands. */
export const decodeStreamEvents = (arrived: readonly ServerSentEvent[]): StreamEvent[] => {
  const events: StreamEvent[] = [];
  for (const { name, data } of arrived) {
    const event = decodeStreamEvent(name, data);
    const last = events.at(-1);
    if (event?.type === 'delta' && last?.type === 'delta') last.text += event.text;
    else if (event) events.push(event);
  }
  return events;
};
