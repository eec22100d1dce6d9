/** Reads a spreadsheet that is published as CSV. The first row has the headings. Every other row becomes a passage. */

/** Parses CSV as in RFC 4180: a quoted cell may contain commas, line breaks and doubled quotes. */
export const parseCsv = (text: string): string[][] => {
  const table: string[][] = [];
  let row: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|\r|$)/gy;
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text);
    if (!match) throw new Error('not_csv');
    const [, quoted, plain = '', end] = match;
    row.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    if (end !== ',') {
      if (row.some((value) => value !== '')) table.push(row);
      row = [];
    }
  }
  if (row.some((value) => value !== '')) table.push(row);
  return table;
};

/** Converts the rows to Markdown: the first cell becomes a heading, every other cell a line. */
export const spreadsheetText = (csv: string): string => {
  const [headings = [], ...body] = parseCsv(csv.replace(/^\ufeff/, ''));
  return body
    .map(([first = '', ...rest]) => {
      const lines = rest
        .map((value, at) => (value === '' ? '' : `${headings[at + 1] ?? ''}: ${value}`))
        .filter(Boolean);
      return `## ${first.replace(/\s+/g, ' ')}\n\n${lines.join('\n') || first}`;
    })
    .join('\n\n');
};
