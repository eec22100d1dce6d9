/** Finds the code blocks of a Markdown page that are live examples: their info string is the language and `live=<name>`. */

export type ExampleLanguage = 'css' | 'js' | 'html';

export interface LiveFence {
  /** The name of the file in `docs/examples` that prepares the example. */
  name: string;
  language: ExampleLanguage;
}

/** Reads the info string of a code block. Returns null if the block is not a live example. */
export const liveFenceOf = (info: string): LiveFence | null => {
  const [, language, name] = /^(css|js|html) live=([a-z-]+)$/.exec(info.trim()) ?? [];
  return language && name ? { name, language: language as ExampleLanguage } : null;
};

/** Returns the live examples of a page with their code. */
export const liveFencesIn = (markdown: string): (LiveFence & { code: string })[] =>
  [...markdown.matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)].flatMap(([, info = '', code = '']) => {
    const fence = liveFenceOf(info);
    return fence ? { ...fence, code } : [];
  });
