/** Reads a spreadsheet that is published as CSV. The first row has the headings. Every other row becomes a passage. */
import { parse } from 'csv-parse/sync';

/** Parses CSV as in RFC 4180, with any line ends. Rows without values are left out. */
export const parseCsv = (text: string): string[][] => {
  return parse(text, {
    bom: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_records_with_empty_values: true,
    trim: true,
  });
};

/**
 * Converts the rows to Markdown: the first cell becomes a heading, every other cell a line.
 * @throws {CsvError} When the text is not CSV.
 */
export const spreadsheetText = (csv: string): string => {
  const [headings = [], ...body] = parseCsv(csv);
  return body
    .map(([first = '', ...rest]) => {
      const lines = rest
        .map((value, at) => (value === '' ? '' : `${headings[at + 1] ?? ''}: ${value}`))
        .filter(Boolean);
      return `## ${first.replace(/\s+/g, ' ')}\n\n${lines.join('\n') || first}`;
    })
    .join('\n\n');
};
