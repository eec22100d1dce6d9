/** One request to an OpenAI-compatible endpoint: streams the text and collects the function calls. */
import { jsonSchema, streamText, tool, type LanguageModel, type ModelMessage } from 'ai';
import { withTimeout } from '../core/waiting.ts';
import type { ModelFunction } from './functions.ts';

export interface Endpoint {
  model: LanguageModel;
  /** Milliseconds without data after which the request fails. */
  timeoutMs: number;
  signal: AbortSignal;
}

interface CompletionRequest {
  system: string;
  messages: ModelMessage[];
  functions: ModelFunction[];
  canCallFunctions: boolean;
}

export interface FunctionCall {
  id: string;
  name: string;
  args: unknown;
}

export interface Completion {
  calls: FunctionCall[];
  /** The model's messages, which the next request has to contain. */
  messages: ModelMessage[];
  /** The text was too long, for the endpoint or for the service. */
  isCutShort: boolean;
}

/** A model that repeats itself never stops, and a plain call is not ended by a visitor who leaves. */
const maxLength = 16_000;
const maxDurationMs = 300_000;

/** @throws {Error} When the endpoint is unreachable, sends invalid data, times out or breaks off. */
export async function* streamCompletion(
  endpoint: Endpoint,
  request: CompletionRequest,
): AsyncGenerator<string, Completion> {
  const end = new AbortController();
  const stream = openStream(endpoint, request, end.signal);
  const parts = stream.fullStream[Symbol.asyncIterator]();
  const calls: FunctionCall[] = [];
  let hasInvalidCall = false;
  let finishReason: string | undefined;
  let length = 0;
  const begun = performance.now();
  try {
    for (;;) {
      const { done, value: part } = await withTimeout(endpoint.timeoutMs, 'The model timed out.', parts.next());
      if (done) break;
      const isLonger = part.type === 'text-delta' && length >= maxLength;
      if (isLonger || performance.now() - begun > maxDurationMs) return { calls: [], messages: [], isCutShort: true };
      if (part.type === 'text-delta') {
        yield part.text.slice(0, maxLength - length);
        length += part.text.length;
      } else if (part.type === 'tool-call') {
        if (part.invalid) hasInvalidCall = true;
        else calls.push({ id: part.toolCallId, name: part.toolName, args: part.input });
      } else if (part.type === 'error') throw new Error('The endpoint reported an error.', { cause: part.error });
      else if (part.type === 'abort') throw new Error('The request was aborted.');
      else if (part.type === 'finish') finishReason = part.finishReason;
    }
    if (hasInvalidCall && calls.length === 0) throw new Error('The model called a function with invalid arguments.');
    if (finishReason !== 'stop' && finishReason !== 'tool-calls' && finishReason !== 'length') {
      throw new Error(`The model ended with “${finishReason}”.`);
    }
    const { messages } = await stream.response;
    return { calls, messages, isCutShort: finishReason === 'length' };
  } finally {
    end.abort();
  }
}

const openStream = ({ model, signal }: Endpoint, request: CompletionRequest, end: AbortSignal) => {
  const tools = request.functions.map(({ name, description, parameters }) => [
    name,
    tool({ description, inputSchema: jsonSchema(parameters) }),
  ]);
  return streamText({
    model,
    system: request.system,
    messages: request.messages,
    tools: Object.fromEntries(tools),
    toolChoice: request.canCallFunctions ? 'auto' : 'none',
    abortSignal: AbortSignal.any([signal, end]),
    maxRetries: 0,
    // Errors arrive as parts of the stream as well. Without this option the library prints them too.
    onError: () => {},
  });
};
