/** Reads the text of a file that an owner picks, in the encodings that spreadsheets and editors write. */

const byteOrderMarks: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

const decode = (bytes: Uint8Array, encoding: string, fatal = false): string =>
  new TextDecoder(encoding, { fatal }).decode(bytes);

/** Three Arabic letters beside each other are a word. In a text of a Western language, the bytes of accents stand apart. */
const isArabic = (text: string): boolean => /[\u0621-\u064a]{3}/.test(text);

/** Returns the text of a file: in the encoding of its byte order mark, in UTF-8, or in what Windows writes in its language. */
export const decodeFile = (bytes: Uint8Array): string => {
  const marked = byteOrderMarks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
  if (marked) return decode(bytes, marked[0]);
  try {
    return decode(bytes, 'utf-8', true);
  } catch {
    const arabic = decode(bytes, 'windows-1256');
    return isArabic(arabic) ? arabic : decode(bytes, 'windows-1252');
  }
};

export const readFile = async (file: File): Promise<string> => decodeFile(new Uint8Array(await file.arrayBuffer()));
