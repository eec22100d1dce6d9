/** Cuts a text into the pieces it is streamed in: a few words at a time, spaces kept, nothing lost. */

export const pieces = (text: string, wordsEach = 3): string[] => {
  const words = text.match(/\s*\S+\s*/g) ?? [];
  const found: string[] = [];
  for (let at = 0; at < words.length; at += wordsEach) found.push(words.slice(at, at + wordsEach).join(''));
  return found;
};

/** Resolves after the pause, or at once when the signal aborts. */
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
