/** The OpenAI-compatible endpoint of the models, on connections that are kept open. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { EmbeddingSettings } from './settings.ts';

/** The codes of a connection that ended before a response. */
const endedConnection = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

const codeOf = (error: unknown): unknown => {
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof Error && 'code' in cause ? cause.code : null;
};

/** More than one connection may be idle. */
const maxRepetitions = 2;

/**
 * Like `fetch`, but repeats a request whose connection ended before a response. The endpoint may have closed a connection
 * that had been idle just as it was used again. A request to a model changes nothing, so it may arrive twice.
 */
const repeatingFetch: typeof fetch = async (input, init) => {
  for (let repetitions = 0; ; repetitions++) {
    try {
      return await fetch(input, init);
    } catch (error) {
      if (repetitions === maxRepetitions || !endedConnection.has(String(codeOf(error)))) throw error;
    }
  }
};

export const createEndpoint = ({ url, key }: Pick<EmbeddingSettings, 'url' | 'key'>) =>
  createOpenAICompatible({ name: 'workspace', baseURL: url, fetch: repeatingFetch, ...(key ? { apiKey: key } : {}) });
