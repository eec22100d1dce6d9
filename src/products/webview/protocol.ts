/** The messages between a webview and its app: one JSON object each, `{v: 1, type, …}`. */
import { isObject, parseJson } from '../../api/decode-values.ts';
import { toJson } from '../../api/encoding.ts';
import type { ContactProof, JsonObject, Message } from '../../../contract/wire.ts';
import { anyText, either, findFault, object, optional, orNull, text, yesOrNo, type Shape } from './checks.ts';
import {
  colorScheme,
  configurationShape,
  contact,
  insets,
  type Insets,
  type WebviewConfiguration,
} from './configuration.ts';

export const version = 1;

/** Messages to the app. */
export type Outgoing =
  /** The page receives messages. `configured` means that the chat can be used. */
  | { type: 'ready'; configured: boolean }
  | { type: 'open-link'; url: string }
  | { type: 'unread'; count: number }
  | { type: 'message'; message: Message }
  | { type: 'feedback'; messageId: string; rating: 1 | -1; comment: string }
  /** An error of the chat, or with `detail`, a message of the app that is invalid. */
  | { type: 'error'; code: string; status: number; requestId: string; retryable: boolean }
  | ProtocolError
  | { type: 'tool'; phase: 'run'; callId: string; name: string; arguments: unknown; conversationId: string }
  | { type: 'tool'; phase: 'abort'; callId: string; reason: 'timeout' | 'stopped' }
  | { type: 'haptic'; kind: 'light' | 'success' | 'error' }
  | { type: 'close' }
  | StorageRequest;

export type StorageRequest = { type: 'storage'; id: string; key: string } & (
  | { operation: 'load' | 'delete' }
  | { operation: 'save'; value: string }
);

export interface ProtocolError {
  type: 'error';
  code: 'invalid_json' | 'unsupported_version' | 'unknown_type' | 'invalid_field' | 'not_configured' | 'not_waiting';
  /** The type of the invalid message, or an empty string. */
  about: string;
  /** The description for the app's developer, in English. */
  detail: string;
}

/** Messages from the app. */
export type Incoming =
  | { type: 'configure'; configuration: WebviewConfiguration }
  | { type: 'identify'; contact: ContactProof | null }
  | { type: 'logout' | 'back' }
  | { type: 'send'; text: string }
  | ({ type: 'insets' } & Insets)
  | { type: 'colorScheme'; value: 'auto' | 'light' | 'dark' }
  | { type: 'locale'; value: string | null }
  | ToolResult
  | StorageReply;

export type ToolResult = { type: 'toolResult'; callId: string } & (
  | { ok: true; result?: JsonObject | null }
  | { ok: false; error?: string }
);

export type StorageReply = { type: 'storage'; id: string; value?: string | null; error?: string };

const shapes: Record<Incoming['type'], Shape> = {
  configure: { configuration: object },
  identify: { contact },
  logout: {},
  back: {},
  send: { text },
  insets,
  colorScheme: { value: colorScheme },
  locale: { value: orNull(text) },
  toolResult: { callId: text, ok: yesOrNo, result: optional(orNull(object)), error: optional(either(anyText, text)) },
  storage: { id: text, value: optional(orNull(anyText)), error: optional(anyText) },
};

/** The shapes of the app's messages. */
export const incomingTypes: readonly string[] = Object.keys(shapes);

export const errorMessage = (code: ProtocolError['code'], about: string, detail: string): ProtocolError => ({
  type: 'error',
  code,
  about,
  detail,
});

const isKnown = (type: string): type is Incoming['type'] => Object.hasOwn(shapes, type);

/** Parses a message of the app. Returns an error message to post when it is invalid. */
export const parseIncoming = (json: unknown): Incoming | ProtocolError => {
  const value = typeof json === 'string' ? parseJson(json) : undefined;
  if (!isObject(value))
    return errorMessage('invalid_json', '', 'A message must be a string with one JSON object in it.');
  const { v, type, ...fields } = 'workspaceChatConfig' in value ? asConfigure(value) : value;
  const about = typeof type === 'string' ? type : '';
  if (v !== version) {
    return errorMessage('unsupported_version', about, `“v” must be ${version}: that is the version this page speaks.`);
  }
  if (!isKnown(about)) {
    return errorMessage('unknown_type', about, `“type” must be one of: ${incomingTypes.join(', ')}.`);
  }
  const problem =
    findFault(fields, shapes[about]) ??
    (about === 'configure' ? findFault(fields['configuration'] as JsonObject, configurationShape) : null);
  if (problem !== null) return errorMessage('invalid_field', about, problem);
  return { type: about, ...fields } as Incoming;
};

/** The short form of a configuration message: `{"workspaceChatConfig": {…}}`. */
const asConfigure = ({ workspaceChatConfig }: JsonObject): JsonObject => ({
  v: version,
  type: 'configure',
  configuration: workspaceChatConfig,
});

/** Whether a window message is addressed to the chat. */
export const isAddressed = (json: unknown): boolean => {
  const value = typeof json === 'string' ? parseJson(json) : undefined;
  return isObject(value) && ('workspaceChatConfig' in value || ('v' in value && 'type' in value));
};

export const encode = (message: Outgoing): string => toJson({ v: version, ...message });
