/** Embeds texts with an OpenAI-compatible endpoint. */
import { embedMany } from 'ai';
import { errorText, type Log } from '../core/log.ts';
import { within } from '../core/waiting.ts';
import { normalizedVector, type Embedder } from '../knowledge/embedder.ts';
import { createEndpoint } from './endpoint.ts';
import type { EmbeddingSettings } from './settings.ts';

const passagesTimeoutMs = 30_000;
/** A visitor waits for the question's vector. */
const defaultQuestionTimeoutMs = 1500;
/** After a failure, questions are searched without vectors for this time, so that not every visitor waits for the next one. */
const pauseMs = 10_000;

export const createEmbedder = (
  { name, minSimilarity, questionTimeoutMs = defaultQuestionTimeoutMs, ...endpoint }: EmbeddingSettings,
  now: () => number,
  log: Log,
): Embedder => {
  const model = createEndpoint(endpoint).embeddingModel(name);
  let pausedUntil = 0;

  const embed = async (values: string[], abortSignal: AbortSignal): Promise<number[][]> => {
    const { embeddings } = await embedMany({ model, values, maxRetries: 0, abortSignal });
    if (!isComplete(embeddings, values.length)) throw new Error('The endpoint returned invalid embeddings.');
    return embeddings;
  };

  return {
    model: name,
    minSimilarity,
    embedPassages: (texts, signal) => embed(texts, within(passagesTimeoutMs, signal)),
    async embedQuestion(text) {
      if (now() < pausedUntil) return undefined;
      try {
        const [vector] = await embed([text], AbortSignal.timeout(questionTimeoutMs));
        return normalizedVector(vector!);
      } catch (error) {
        pausedUntil = now() + pauseMs;
        log({ level: 'warn', event: 'embedding_failure', error: errorText(error) });
        return undefined;
      }
    },
  };
};

/** Whether there is a vector for each text, and all of them have the same dimensions. */
const isComplete = (embeddings: number[][], count: number): boolean => {
  const dimensions = embeddings[0]?.length ?? 0;
  return (
    embeddings.length === count &&
    dimensions > 0 &&
    embeddings.every((vector) => vector.length === dimensions && vector.every(Number.isFinite))
  );
};
