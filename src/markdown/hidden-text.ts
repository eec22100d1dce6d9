/** Finds what a reply does not show: comments, and what a model thinks before it replies. Code spans keep it. */

const markerPattern = /\\[^]|`+|<!--|<(\/?)think(?:ing)?>/gi;
const ends = { comment: /-->/g, thought: /<\/think(?:ing)?>/gi };

/** What is hidden until its end: in a comment, or in thoughts. */
export type Hidden = keyof typeof ends;

/** Removes the spaces on one side of a gap that has spaces on both, or is at the start of the line. */
const join = (before: string, after: string, isGap: boolean): string => {
  const isSpaced = isGap && (before === '' || before.endsWith(' ')) && after.startsWith(' ');
  return before + (isSpaced ? after.trimStart() : after);
};

/** Returns where the code span ends that a run of backticks opens, or -1. `unclosed` has the lengths of runs without an end. */
const codeSpanEnd = (line: string, start: number, length: number, unclosed: Set<number>): number => {
  if (unclosed.has(length)) return -1;
  const backticks = /`+/g;
  backticks.lastIndex = start;
  for (let match; (match = backticks.exec(line));) if (match[0].length === length) return backticks.lastIndex;
  unclosed.add(length);
  return -1;
};

/**
 * Returns the shown part of a line.
 * @param hidden What was still hidden at the end of the line before, or null.
 */
export const shownPart = (line: string, hidden: Hidden | null): { shown: string; hidden: Hidden | null } => {
  const unclosed = new Set<number>();
  let shown = '';
  /** The start of the text that is not yet shown or hidden. */
  let start = 0;
  let state = hidden;
  markerPattern.lastIndex = 0;
  for (;;) {
    if (state) {
      const end = ends[state];
      end.lastIndex = start;
      if (!end.test(line)) return { shown, hidden: state };
      start = end.lastIndex;
      markerPattern.lastIndex = start;
      state = null;
    }
    const match = markerPattern.exec(line);
    if (!match) return { shown: join(shown, line.slice(start), start > 0), hidden: null };
    const [marker, slash] = match;
    if (marker.startsWith('`')) {
      const position = markerPattern.lastIndex;
      const end = codeSpanEnd(line, position, marker.length, unclosed);
      markerPattern.lastIndex = end < 0 ? position : end;
    } else if (marker.startsWith('<')) {
      shown = join(shown, line.slice(start, match.index), start > 0);
      start = markerPattern.lastIndex;
      if (!slash) state = marker === '<!--' ? 'comment' : 'thought';
    }
  }
};

/** Whether a growing reply has any text to show. */
export const hasShownText = (text: string): boolean => {
  const start = text.trimStart();
  // A tag that is not complete yet may begin what is hidden.
  const isTag = /^<(?:$|[!/a-z])/i.test(start);
  if (!isTag || /^<[!/\w-]*$/.test(start)) return start !== '' && !isTag;
  return shownPart(start, null).shown.trim() !== '';
};
