/** Splits a text into the chunks in which it is streamed, and waits between them. */

/** The chunks have a few words each and keep all spaces. Joined, they are the text. */
export const splitIntoChunks = (text: string, wordsPerChunk = 3): string[] => {
  const words = text.match(/\s*\S+\s*/g) ?? [];
  const chunks: string[] = [];
  for (let at = 0; at < words.length; at += wordsPerChunk) chunks.push(words.slice(at, at + wordsPerChunk).join(''));
  return chunks;
};

/** Resolves after the given time, or at once when the signal aborts. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> => {
  if (milliseconds <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    signal.addEventListener('abort', finish);
  });
};
