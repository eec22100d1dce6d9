/** Parses GFM table rows: the delimiter row, and the cells of a row. */
import { directionMarks } from '../../contract/characters.ts';
import { plainSpaces } from './line.ts';
import type { Alignment } from './syntax-tree.ts';

/** Matches up to a pipe that is not escaped, or to the end. */
const cellPattern = /((?:\\.?|[^\\|])*)(?:\||$)/g;

const delimiterPattern = /^:?-+:?$/;

/** A row with more columns is text: each cell takes only two characters, so a short message could create too many elements. */
const maxColumns = 100;

/** What nobody sees before the first pipe and after the last one. */
const edgePattern = new RegExp(`^[\\s${directionMarks}]*\\||(?<=\\|)[\\s${directionMarks}]+$`, 'g');

/** Returns the cells of a row with unescaped pipes. The inline parser handles other escapes. */
export const splitRow = (row: string): string[] => {
  const cells = [...row.trim().replace(edgePattern, '').matchAll(cellPattern)].map(([, cell]) =>
    cell!.replaceAll('\\|', '|').trim(),
  );
  // The last match is the empty string at the end.
  return cells.length > 1 ? cells.slice(0, -1) : cells;
};

/** Returns the alignments of the columns if `line` is a delimiter row, or null. */
export const delimiterRow = (line: string): Alignment[] | null => {
  const cells = splitRow(plainSpaces(line));
  if (cells.length > maxColumns || !cells.every((cell) => delimiterPattern.test(cell))) return null;
  return cells.map((cell) => {
    if (cell.endsWith(':')) return cell.startsWith(':') ? 'center' : 'right';
    return cell.startsWith(':') ? 'left' : null;
  });
};
