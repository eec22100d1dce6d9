/** Splits a Markdown text into passages, each of which makes sense as a reply. */

export interface Passage {
  /** The nearest heading above the passage. */
  title: string;
  /** The headings above that one, outermost first. */
  within: string[];
  body: string;
}

/** Characters of a passage. A single longer paragraph is not split. */
const maxPassageLength = 700;

export const passages = (markdown: string): Passage[] => {
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

  for (const block of markdown.replaceAll('\r\n', '\n').split(/\n\s*\n/)) {
    let rest = block.trim();
    let heading = /^(#{1,6})\s+(.+)(?:\n|$)/.exec(rest);
    while (heading) {
      finish();
      const depth = heading[1]!.length;
      headings.length = depth;
      headings[depth - 1] = heading[2]!.trim();
      rest = rest.slice(heading[0].length).trim();
      heading = /^(#{1,6})\s+(.+)(?:\n|$)/.exec(rest);
    }
    if (rest !== '') paragraphs.push(rest);
  }
  finish();
  return found;
};

/** Joins neighbouring paragraphs up to the maximum length. */
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
