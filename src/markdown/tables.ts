/** Table rows (GFM): the delimiter row that makes a table, and the cells of a row. */
import type { Alignment } from './syntax-tree.ts';

const DELIMITER_ROW = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** More columns than this make no table: each would be a cell to draw, for two characters of text. */
const MAX_COLUMNS = 100;

/** The cells of a row, their escaped pipes unescaped; other escapes are left to the inline parser. */
export function splitRow(row: string): string[] {
  const text = row.trim();
  const cells: string[] = [];
  let cell = '';
  for (let position = text.startsWith('|') ? 1 : 0; position < text.length; position++) {
    const character = text[position]!;
    if (character === '|') {
      cells.push(cell.trim());
      cell = '';
    } else if (character === '\\' && position + 1 < text.length) {
      position++;
      cell += text[position] === '|' ? '|' : character + text[position];
    } else cell += character;
  }
  if (cell.trim() || cells.length === 0) cells.push(cell.trim());
  return cells;
}

/** The columns' alignments when `line` is a delimiter row, else null. */
export function delimiterRow(line: string): Alignment[] | null {
  if (!DELIMITER_ROW.test(line)) return null;
  const cells = splitRow(line);
  if (cells.length > MAX_COLUMNS) return null;
  return cells.map((cell) => {
    if (cell.endsWith(':')) return cell.startsWith(':') ? 'center' : 'right';
    return cell.startsWith(':') ? 'left' : null;
  });
}
