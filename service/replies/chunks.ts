/** Splits a text into the chunks in which it is streamed. */

/** The chunks have a few words each and keep all spaces. Joined, they are the text. */
export const splitIntoChunks = (text: string, wordsPerChunk = 3): string[] => {
  const words = text.match(/\s*\S+\s*/g) ?? [];
  const chunks: string[] = [];
  for (let at = 0; at < words.length; at += wordsPerChunk) chunks.push(words.slice(at, at + wordsPerChunk).join(''));
  return chunks;
};
