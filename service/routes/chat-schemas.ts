/** The schemas of the chat operations. `satisfies` checks them against the wire types of the contract. */
import { z } from '@hono/zod-openapi';
import { isLongerThan, shortened } from '../../contract/characters.ts';
import {
  clientToolNamePattern,
  maxClientToolNameLength,
  maxClientTools,
  maxMessageLength,
  maxToolErrorLength,
  maxToolResultLength,
} from '../../contract/limits.ts';
import type { ChatResponse, ToolResultRequest } from '../../contract/wire.ts';
import type { TurnRequest } from '../chat/turn.ts';
import { chatMessageOut, source } from '../resources/message.ts';
import { boundedText } from '../core/bounded-text.ts';

const requestMessage = z
  .object({
    role: z.enum(['user', 'assistant']),
    content: z.string().openapi({ maxLength: maxMessageLength }),
  })
  .openapi('ChatMessage');

type RequestMessage = z.infer<typeof requestMessage>;

/** Returns the position of a message that is too long. The messages before the last one are ignored in a conversation. */
const tooLongAt = (messages: RequestMessage[], isContinued: boolean): number => {
  const from = isContinued ? messages.length - 1 : 0;
  return messages.findIndex(({ content }, at) => at >= from && isLongerThan(content, maxMessageLength));
};

export const chatRequest = z
  .object({
    messages: z
      .array(requestMessage)
      .min(1)
      .superRefine((messages, context) => {
        const last = messages.at(-1);
        const at = messages.length - 1;
        if (last?.role !== 'user') {
          context.addIssue({
            code: 'custom',
            path: [at, 'role'],
            message: 'The last message must have the role user.',
          });
        }
        if (last?.content.trim() === '') {
          context.addIssue({ code: 'custom', path: [at, 'content'], message: 'The last message must not be empty.' });
        }
      }),
    conversation_id: boundedText(100).optional(),
    conversation_token: boundedText(200).optional(),
    stream: z.boolean().optional(),
    locale: boundedText(35).optional().openapi({ description: 'A hint for the language of the reply.' }),
    contact: z
      .union([
        z.object({ token: boundedText(8192) }),
        z.object({
          user_id: boundedText(200).min(1),
          user_hash: boundedText(128),
          email: boundedText(320).optional(),
          name: boundedText(200).optional(),
        }),
      ])
      .optional(),
    client_tools: z
      .array(boundedText(maxClientToolNameLength).regex(clientToolNamePattern))
      .max(maxClientTools)
      .optional(),
  })
  .superRefine(({ messages, conversation_id }, context) => {
    const at = tooLongAt(messages, conversation_id !== undefined);
    if (at < 0) return;
    const message = `At most ${maxMessageLength} characters.`;
    context.addIssue({
      code: 'too_big',
      origin: 'string',
      maximum: maxMessageLength,
      input: messages[at]!.content,
      path: ['messages', at, 'content'],
      message,
    });
  })
  .openapi('ChatRequest');

/** Trims the messages and reduces the locale to one of the two languages. */
export const toTurnRequest = (request: z.infer<typeof chatRequest>): TurnRequest => {
  const { messages, locale, ...rest } = request;
  return {
    ...rest,
    ...(locale === undefined ? {} : { locale: /^ar\b/i.test(locale) ? ('ar' as const) : ('en' as const) }),
    messages: messages.map(({ role, content }) => ({ role, content: content.trim() })),
  };
};

export const chatResponse = z
  .object({
    conversation_id: z.string(),
    conversation_token: z.string().optional(),
    message: chatMessageOut.nullable(),
    outcome: z.string().nullable().optional(),
    refused: z.boolean(),
    sources: z.array(source),
    state: z.string().optional(),
    lead_captured: z.boolean(),
    limit: z.string().nullable().optional(),
    degraded: z.boolean(),
  })
  .openapi('ChatResponse') satisfies z.ZodType<ChatResponse>;

export const toolResultRequest = z
  .object({
    conversation_id: boundedText(100),
    conversation_token: boundedText(200).optional(),
    call_id: boundedText(100),
    ok: z.boolean(),
    result: z
      .record(z.string(), z.unknown())
      .refine((result) => !isLongerThan(JSON.stringify(result), maxToolResultLength), {
        message: `At most ${maxToolResultLength} characters as JSON.`,
      })
      .optional(),
    error: z
      .string()
      .transform((text) => shortened(text, maxToolErrorLength))
      .optional(),
  })
  .openapi('ToolResultRequest') satisfies z.ZodType<ToolResultRequest>;

export const toolResultResponse = z.object({ ok: z.boolean() }).openapi('ToolResultResponse');
