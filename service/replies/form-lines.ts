/** How a message contains a form: one `Label: value` line for each field. */

/** A line of a message, with the field that it is about. */
export interface FormLine {
  /** The index of the field, or null when no label is at the start of the line. */
  readonly field: number | null;
  /** The label as the line has it. Empty when the line has no colon. */
  readonly label: string;
  readonly value: string;
}

interface Candidate {
  readonly field: number;
  readonly length: number;
  readonly value: string;
}

const fold = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase();

/** Returns the labels that a line may start with, the longest first. */
const candidatesOf = (line: string, labels: readonly (readonly string[])[]): Candidate[] => {
  const found: Candidate[] = [];
  // A label may itself contain a colon, so each colon of the line may be the one after it.
  for (const { index } of line.matchAll(/[:：]/g)) {
    const start = fold(line.slice(0, index));
    labels.forEach((own, field) => {
      if (start !== '' && own.some((label) => fold(label) === start))
        found.push({ field, length: index, value: line.slice(index + 1).trim() });
    });
  }
  return found.toSorted((one, other) => other.length - one.length);
};

interface Choice {
  /** How many lines have a label in the order of the form, and how long the labels are together. */
  readonly count: number;
  readonly length: number;
  readonly rest: Choice | null;
  readonly chosen: Candidate | null;
}

const isBetter = (one: Choice, other: Choice): boolean =>
  one.count > other.count || (one.count === other.count && one.length > other.length);

/**
 * Finds the lines of a message that fill in a form. When one label begins another, the order of the form decides, and then the
 * longest label.
 * @param labels The labels of each field, in the order of the form.
 */
export const formLines = (message: string, labels: readonly (readonly string[])[]): FormLine[] => {
  const lines = message.split('\n');
  const candidates = lines.map((line) => candidatesOf(line, labels));
  // From the last line to the first: the best choice for the rest, if only the fields from an index on are left.
  let best: Choice[] = Array.from({ length: labels.length + 1 }, () => ({
    count: 0,
    length: 0,
    rest: null,
    chosen: null,
  }));
  for (const own of candidates.toReversed()) {
    const next = best;
    best = next.map((rest, from) => {
      let choice: Choice = { ...rest, rest, chosen: null };
      for (const chosen of own.filter(({ field }) => field >= from)) {
        const after = next[chosen.field + 1]!;
        const other = { count: after.count + 1, length: after.length + chosen.length, rest: after, chosen };
        if (isBetter(other, choice)) choice = other;
      }
      return choice;
    });
  }
  let choice: Choice | null = best[0]!;
  return lines.map((line, index) => {
    // A line out of order has its longest label.
    const found: Candidate | undefined = choice?.chosen ?? candidates[index]![0];
    choice = choice?.rest ?? null;
    if (found) return { field: found.field, label: line.slice(0, found.length).trim(), value: found.value };
    const colon = line.search(/[:：]/);
    const end = Math.max(colon, 0);
    return { field: null, label: line.slice(0, end).trim(), value: line.slice(colon + 1).trim() };
  });
};
