/** Splits a Markdown text into passages, each of which makes sense as a reply. */
import { shortened } from '../../contract/characters.ts';

export interface Passage {
  /** The nearest heading above the passage. */
  title: string;
  /** The headings above that one, outermost first. */
  within: string[];
  body: string;
}

/** Characters of a passage that several paragraphs share. */
const maxPassageLength = 700;
/** Characters of a single paragraph. A longer one is split, because a search vector holds at most 1 MB. */
const maxParagraphLength = 1500;
const maxHeadingLength = 300;

/** The metadata above a Markdown text, in YAML or TOML. Every line of it is a member, an entry of a list, indented, or a comment. */
const frontMatterPattern =
  /^(?:---[ \t]*\n(?:(?:[\p{L}\p{N}_"'.][^\n:]*:(?:[ \t][^\n]*)?|[ \t]+[^\n]*|-[ \t][^\n]*|[\]}][^\n]*|#[^\n]*|)\n)*(?:---|\.\.\.)|\+\+\+[ \t]*\n(?:[^\n]*\n)*?\+\+\+)[ \t]*(?:\n|$)/u;
/** Between two rules without a member there is text, and no metadata. */
const memberPattern = /^---[ \t]*\n(?:---|[^]*?^[\p{L}\p{N}_"'.][^\n:]*:)|^\+\+\+/mu;

const withoutFrontMatter = (markdown: string): string => {
  const found = frontMatterPattern.exec(markdown)?.[0];
  return found && memberPattern.test(found) ? markdown.slice(found.length) : markdown;
};

export const passages = (text: string): Passage[] => {
  const markdown = withoutFrontMatter(text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'));
  const found: Passage[] = [];
  const headings: string[] = [];
  let paragraphs: string[] = [];

  const finish = (): void => {
    const above = headings.filter(Boolean);
    for (const body of joinParagraphs(paragraphs)) {
      found.push({ title: above.at(-1) ?? '', within: above.slice(0, -1), body });
    }
    paragraphs = [];
  };

  for (const block of markdown.split(/\n\s*\n/)) {
    let rest = block.trim();
    let heading = headingAt(rest);
    while (heading) {
      finish();
      headings.length = heading.depth;
      headings[heading.depth - 1] = shortened(heading.text, maxHeadingLength);
      rest = rest.slice(heading.length).trim();
      heading = headingAt(rest);
    }
    if (rest !== '') paragraphs.push(...splitParagraph(rest));
  }
  finish();
  return found;
};

/** Returns the heading in the first line of a block. */
const headingAt = (block: string): { depth: number; text: string; length: number } | undefined => {
  if (!block.startsWith('#')) return undefined;
  const end = block.indexOf('\n');
  const line = end === -1 ? block : block.slice(0, end);
  const depth = /^#{1,6}(?=\s)/.exec(line)?.[0].length;
  const text = depth === undefined ? '' : line.slice(depth).trim();
  return depth === undefined || text === '' ? undefined : { depth, text, length: line.length + 1 };
};

/** Joins neighboring paragraphs up to the maximum length. */
const joinParagraphs = (paragraphs: string[]): string[] => {
  const bodies: string[] = [];
  for (const paragraph of paragraphs) {
    const last = bodies.at(-1);
    if (last !== undefined && last.length + paragraph.length + 2 <= maxPassageLength) {
      bodies[bodies.length - 1] = `${last}\n\n${paragraph}`;
    } else {
      bodies.push(paragraph);
    }
  }
  return bodies;
};

/** Splits a long paragraph at line ends, else at the ends of sentences, else between words, else anywhere. */
export const splitParagraph = (paragraph: string): string[] => {
  const parts: string[] = [];
  let start = 0;
  while (paragraph.length - start > maxParagraphLength) {
    const length = splitPosition(paragraph.slice(start, start + maxParagraphLength));
    parts.push(paragraph.slice(start, start + length).trim());
    start += length;
  }
  parts.push(paragraph.slice(start).trim());
  return parts.filter(Boolean);
};

const splitPosition = (text: string): number => {
  for (const ends of [['\n'], ['. ', '! ', '? ', '؟ ', '。'], [' ', '\t']]) {
    const at = Math.max(...ends.map((end) => text.lastIndexOf(end)));
    if (at >= text.length / 2) return at + 1;
  }
  // The two halves of a surrogate pair stay together.
  return /[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length;
};
