/** Takes the numbers of passages, `[2]`, out of a text that arrives in pieces, and remembers which were named. */

const digit = '[\\d\u0660-\u0669]';
const list = `${digit}{1,2}(?:\\s*[,\u060c]\\s*${digit}{1,2})*`;
const marker = new RegExp(`[ \\t]*\\[(${list})\\](?!\\()`, 'g');
/** What may still become one, or a link: kept back until more is known. */
const unfinished = new RegExp(`\\s*(?:\\[[\\d\u0660-\u0669,\u060c\\s]{0,20}\\]?)?$`);

export interface Citations {
  /** What can be shown of it by now. */
  take(piece: string): string;
  /** The rest. */
  end(): string;
  /** From 1. */
  readonly named: ReadonlySet<number>;
}

export const createCitationReader = (passages: number): Citations => {
  const named = new Set<number>();
  let held = '';

  const without = (text: string) =>
    text.replace(marker, (whole, numbers: string) => {
      const all = numbers.split(/[,\u060c]/).map(numberOf);
      if (!all.every((number) => number >= 1 && number <= passages)) return whole;
      for (const number of all) named.add(number);
      return '';
    });

  return {
    named,
    take(piece) {
      held += piece;
      const known = held.slice(0, unfinished.exec(held)!.index);
      held = held.slice(known.length);
      return without(known);
    },
    end() {
      const rest = without(held).trimEnd();
      held = '';
      return rest;
    },
  };
};

const numberOf = (text: string): number => {
  return Number(text.trim().replace(/[\u0660-\u0669]/g, (each) => String(each.charCodeAt(0) & 15)));
};
