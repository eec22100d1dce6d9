/** The replies that the benchmarks stream. */
const paragraphs = [
  'The studio is open **every day but Monday**, and the kiln is fired on Wednesdays. Bring your pieces before noon.',
  'A wheel class takes two hours and costs `18 OMR`; the clay, the glazes and one firing are [included](https://example.com/classes).',
  '- Coffee cups, six of them\n- A serving bowl, *glazed inside*\n- Tiles, by the square metre',
  'Send us your drawing, and we answer within two days with a price, a date, and a question or two about the glaze.',
  '| Piece | Price | Ready |\n| --- | ---: | --- |\n| Cup | 3.500 | Thursday |\n| Vase | 29.000 | in two weeks |',
];

/** Returns a reply in Markdown of about `length` characters. */
export const markdown = (length: number): string => {
  let text = '';
  for (let index = 0; text.length < length; index++) text += `${paragraphs[index % paragraphs.length]}\n\n`;
  return text.slice(0, length);
};

/** Splits a text into the chunks in which a model would send it. */
export const pieces = (text: string, size = 5): string[] => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
