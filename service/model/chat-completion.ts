/** Asks an OpenAI-compatible endpoint once: yields the text as it comes, returns the functions it calls. */
import { jsonSchema, streamText, tool, type LanguageModel, type ModelMessage } from 'ai';
import type { ModelFunction } from './functions.ts';

interface Endpoint {
  model: LanguageModel;
  /** Milliseconds without a sign of life. */
  patience: number;
  signal: AbortSignal;
}

interface Question {
  system: string;
  messages: ModelMessage[];
  functions: ModelFunction[];
  mayCall: boolean;
}

export interface FunctionCall {
  id: string;
  name: string;
  args: unknown;
}

interface Asked {
  calls: FunctionCall[];
  /** To be sent along with the next question. */
  messages: ModelMessage[];
  /** The endpoint stopped before the end, for length. */
  cutShort: boolean;
}

/** @throws {Error} When it cannot be reached, sends what cannot be read, is silent for too long or breaks off. */
export async function* ask(endpoint: Endpoint, question: Question): AsyncGenerator<string, Asked> {
  const { model, patience, signal } = endpoint;
  const over = new AbortController();
  const tools = question.functions.map(({ name, description, parameters }) => [
    name,
    tool({ description, inputSchema: jsonSchema(parameters) }),
  ]);
  const answer = streamText({
    model,
    system: question.system,
    messages: question.messages,
    tools: Object.fromEntries(tools),
    toolChoice: question.mayCall ? 'auto' : 'none',
    abortSignal: AbortSignal.any([signal, over.signal]),
    maxRetries: 0,
    // What goes wrong is part of the stream as well.
    onError: () => {},
  });
  const parts = answer.fullStream[Symbol.asyncIterator]();
  const calls: FunctionCall[] = [];
  const unreadable = new Set<string>();
  let end: string | undefined;
  try {
    for (;;) {
      const { done, value: part } = await within(patience, parts.next());
      if (done) break;
      if (part.type === 'text-delta') yield part.text;
      else if (part.type === 'tool-call') {
        if (part.invalid) unreadable.add(part.toolCallId);
        else calls.push({ id: part.toolCallId, name: part.toolName, args: part.input });
      } else if (part.type === 'error') throw asError(part.error);
      else if (part.type === 'abort') throw new Error('The request was ended.');
      else if (part.type === 'finish') end = part.finishReason;
    }
    if (unreadable.size > 0 && calls.length === 0)
      throw new Error('The model called a function in a way that cannot be read.');
    if (end !== 'stop' && end !== 'tool-calls' && end !== 'length') throw new Error(`The model ended with “${end}”.`);
    const { messages } = await answer.response;
    return { calls, messages, cutShort: end === 'length' };
  } finally {
    over.abort();
  }
}

const within = async <Value>(milliseconds: number, work: Promise<Value>): Promise<Value> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The model was silent for too long.')), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

const asError = (cause: unknown): Error => {
  return cause instanceof Error ? cause : new Error(String(cause));
};
