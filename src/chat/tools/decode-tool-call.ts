/** Decodes the service's calls of client tools. */
import { compact, parseJson, toObject, toOptionalNumber, toOptionalText, toText } from '../../api/decode-values.ts';
import { defaultToolTimeoutMs } from '../../../contract/limits.ts';
import type { ClientToolCall, JsonObject } from '../../../contract/wire.ts';

/** The longest timeout of a client tool, in milliseconds. A longer timeout is reduced to this. */
const maxToolTimeout = 600_000;

/** Decodes the data of a `client_tool` event. Returns null when it names no call. */
export const decodeToolCall = (data: JsonObject): ClientToolCall | null => {
  const call_id = toText(data['call_id']);
  const name = toText(data['name'] ?? data['tool']);
  if (!call_id || !name) return null;
  const sent = data['arguments'] ?? data['args'] ?? data['input'];
  const timeout = toOptionalNumber(data['timeout_ms']) ?? 0;
  return compact({
    conversation_id: toText(data['conversation_id']),
    conversation_token: toOptionalText(data['conversation_token']),
    call_id,
    name,
    arguments: toObject(typeof sent === 'string' ? parseJson(sent) : sent),
    timeout_ms: timeout > 0 ? Math.min(timeout, maxToolTimeout) : defaultToolTimeoutMs,
  });
};
