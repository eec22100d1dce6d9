/** Removes citation marks such as `[2]` from a text that arrives in chunks, and collects the cited numbers. */

const digit = '[\\d\u0660-\u0669]';
const list = `${digit}{1,2}(?:\\s*[,\u060c]\\s*${digit}{1,2})*`;
const marker = new RegExp(`[ \\t]*\\[(${list})\\](?!\\()`, 'g');
/** The end of a chunk that may become a citation mark or a link. It is held back until the next chunk. */
const unfinished = new RegExp(`\\s*(?:\\[[\\d\u0660-\u0669,\u060c\\s]{0,20}\\]?)?$`);

export interface CitationReader {
  /** Adds a chunk and returns the text that is complete. */
  read(chunk: string): string;
  /** Returns the text that was held back. */
  end(): string;
  /** The cited numbers, from 1. */
  readonly cited: ReadonlySet<number>;
}

export const createCitationReader = (passageCount: number): CitationReader => {
  const cited = new Set<number>();
  let held = '';

  const withoutMarks = (text: string) =>
    text.replace(marker, (whole, numbers: string) => {
      const all = numbers.split(/[,\u060c]/).map(numberOf);
      if (!all.every((number) => number >= 1 && number <= passageCount)) return whole;
      for (const number of all) cited.add(number);
      return '';
    });

  return {
    cited,
    read(chunk) {
      held += chunk;
      const complete = held.slice(0, unfinished.exec(held)!.index);
      held = held.slice(complete.length);
      return withoutMarks(complete);
    },
    end() {
      const rest = withoutMarks(held).trimEnd();
      held = '';
      return rest;
    },
  };
};

const numberOf = (text: string): number => {
  return Number(text.trim().replace(/[\u0660-\u0669]/g, (each) => String(each.charCodeAt(0) & 15)));
};
