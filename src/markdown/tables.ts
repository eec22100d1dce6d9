/** Table rows (GFM): the delimiter row that makes a table, and the cells of a row. */
import type { Alignment } from './syntax-tree.ts';

/** Up to a pipe that is not escaped, or the end. */
const cellPattern = /((?:\\.?|[^\\|])*)(?:\||$)/g;

const delimiterPattern = /^:?-+:?$/;

/** More columns than this make no table: each would be a cell to draw, for two characters of text. */
const maxColumns = 100;

/** The cells of a row, their escaped pipes unescaped; other escapes are left to the inline parser. */
export const splitRow = (row: string): string[] => {
  const cells = Array.from(row.trim().replace(/^\|/, '').matchAll(cellPattern), ([, cell]) =>
    cell!.replaceAll('\\|', '|').trim(),
  );
  // The last one is what stands at the very end: nothing.
  return cells.length > 1 ? cells.slice(0, -1) : cells;
};

/** The columns' alignments when `line` is a delimiter row, else null. */
export const delimiterRow = (line: string): Alignment[] | null => {
  const cells = splitRow(line);
  if (cells.length > maxColumns || !cells.every((cell) => delimiterPattern.test(cell))) return null;
  return cells.map((cell) => {
    if (cell.endsWith(':')) return cell.startsWith(':') ? 'center' : 'right';
    return cell.startsWith(':') ? 'left' : null;
  });
};
