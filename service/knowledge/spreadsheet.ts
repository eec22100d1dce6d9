/** Reads a spreadsheet as a program or a person has saved it as CSV. Every row below the headings becomes a passage. */
import { parse } from 'csv-parse/sync';

const delimiters = [',', ';', '\t', '|'];

/** Characters and rows that are enough to recognize the delimiter. */
const sampleLength = 32 * 1024;
const sampleRows = 60;

/** The first line that some programs write: `sep=;`. */
const separatorPattern = /^\s*"?sep=(.)"?[ \t]*(?:\r\n|\r|\n|$)/i;

const parseRows = (text: string, delimiter: string, to?: number): string[][] =>
  parse(text, {
    bom: true,
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_records_with_empty_values: true,
    trim: true,
    ...(to === undefined ? {} : { to }),
  });

const filled = (row: readonly string[]): number => row.filter((cell) => cell !== '').length;

/** Returns the share of the rows that have the most common number of columns, if that is more than one. */
const regularity = (sample: string, delimiter: string): number => {
  try {
    const rows = parseRows(sample, delimiter, sampleRows);
    const counts = new Map<number, number>();
    for (const { length } of rows) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
    return Math.max(0, ...counts.values()) / rows.length;
  } catch {
    return 0;
  }
};

const delimiterOf = (text: string): string => {
  const end = text.lastIndexOf('\n', sampleLength);
  const sample = text.length > sampleLength && end > 0 ? text.slice(0, end) : text.slice(0, sampleLength);
  const [best] = delimiters
    .map((delimiter) => ({ delimiter, score: regularity(sample, delimiter) }))
    .toSorted((one, other) => other.score - one.score);
  return best!.score > 0 ? best!.delimiter : ',';
};

/**
 * Parses CSV with any delimiter and any line ends. Rows without values are left out.
 * @throws {CsvError} When the text is not CSV.
 */
export const parseCsv = (csv: string): string[][] => {
  const text = csv.replace(/^\ufeff/, '');
  const separator = separatorPattern.exec(text);
  return separator ? parseRows(text.slice(separator[0].length), separator[1]!) : parseRows(text, delimiterOf(text));
};

interface Sheet {
  /** The rows above the headings. */
  titles: string[][];
  headings: string[];
  body: string[][];
}

/** A merged cell has its text in its first column only. */
const spread = (row: readonly string[]): string[] => {
  let last = '';
  return row.map((cell) => (last = cell || last));
};

/** Finds the headings: the first row that fills at least half of the columns. Rows above it are titles. */
const readSheet = (rows: string[][]): Sheet => {
  const most = Math.max(...rows.slice(0, sampleRows).map(filled));
  const at = rows.findIndex((row) => filled(row) >= Math.max(Math.min(2, most), Math.ceil(most / 2)));
  const row = rows[at] ?? [];
  const next = rows[at + 1] ?? [];
  const titles = rows.slice(0, at);
  // Headings in two rows: groups in merged cells, and below them the columns of each group.
  const isGrouped = next[0] === '' && next.some((cell, index) => cell !== '' && !row[index]);
  if (!isGrouped) return { titles, headings: row, body: rows.slice(at + 1) };
  const groups = spread(row.concat(Array<string>(Math.max(0, next.length - row.length)).fill('')));
  const headings = groups.map((group, index) => (next[index] ? `${group} ${next[index]}`.trim() : (row[index] ?? '')));
  return { titles, headings, body: rows.slice(at + 2) };
};

const oneLine = (cell: string): string => cell.replace(/\s+/g, ' ');

/**
 * Converts a spreadsheet to Markdown: the first cell of a row becomes a heading, every other cell a line.
 * @throws {CsvError} When the text is not CSV.
 */
export const spreadsheetText = (csv: string): string => {
  const rows = parseCsv(csv);
  if (rows.length === 0) return '';
  const { titles, headings, body } = readSheet(rows);
  const isHeading = (row: readonly string[]): boolean => row.join('\0') === headings.join('\0');
  let name = '';
  const passages = body
    .filter((row) => !isHeading(row))
    .map((row) => {
      // Below a merged cell, the first column is empty.
      name = row[0] || name || row.find((cell) => cell !== '')!;
      const lines = row
        .slice(1)
        .map((value, at) => (value === '' ? '' : [headings[at + 1] ?? '', value].filter(Boolean).join(': ')))
        .filter((line) => line !== '' && line !== name);
      return `## ${oneLine(name)}\n\n${lines.join('\n') || name}`;
    });
  const title = titles.map((row) => oneLine(row.filter(Boolean).join(' '))).join(' – ');
  return [...(title ? [`# ${title}`] : []), ...passages].join('\n\n');
};
