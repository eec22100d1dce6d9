/** Decodes the bytes of a file: by its byte order mark, by what its server says, or by what it looks like. */
import { analyse } from 'chardet';
import iconv from 'iconv-lite';

/** A file that is no text, or whose characters are lost. */
export class UnreadableTextError extends Error {
  readonly reason: 'not_text' | 'bad_encoding';

  constructor(reason: 'not_text' | 'bad_encoding') {
    super(reason);
    this.name = 'UnreadableTextError';
    this.reason = reason;
  }
}

/** Bytes that are enough to recognize an encoding. */
const sampleLength = 64 * 1024;

/** The first bytes of files that are no text: ZIP (also XLSX, DOCX and ODS), PDF, the older Office files, PNG, JPEG and GZIP. */
const binarySignatures = ['504b0304', '25504446', 'd0cf11e0', '89504e47', 'ffd8ff', '1f8b'];

/** Labels that browsers read as Windows-1252, a superset. `TextDecoder` of Node.js 20 reads all of them as Latin-1. */
const westernPattern = /^(?:iso-?8859-1|latin-?1|l1|us-ascii|ascii|cp1252)$/i;

/** Returns undefined when the label is unknown. Removes a byte order mark. */
const decode = (bytes: Uint8Array, label: string): string | undefined => {
  const name = westernPattern.test(label) ? 'windows-1252' : label;
  return iconv.encodingExists(name) ? iconv.decode(Buffer.from(bytes), name) : undefined;
};

const decodeUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

const isLost = (text: string): boolean => /[\0\ufffd]/.test(text);

const markedLabel = ([first, second, third]: Uint8Array): string | undefined => {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
};

/** Recognizes UTF-16 without a byte order mark: most texts have many characters whose first byte is zero. */
const wideLabel = (sample: Uint8Array): string | undefined => {
  const zeros = [0, 0];
  sample.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2]!++;
  });
  const [even, odd] = zeros as [number, number];
  if (Math.max(even, odd) < sample.length / 20) return undefined;
  return even > odd ? 'utf-16be' : 'utf-16le';
};

const declaredLabel = (bytes: Uint8Array, contentType: string): string | undefined => {
  const inHeader = /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1];
  if (inHeader) return inHeader;
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));
  return /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(start)?.[1];
};

/**
 * Returns the text of a file without its byte order mark.
 * @throws {UnreadableTextError} When the file is no text.
 */
export const decodeText = (bytes: Uint8Array, contentType = ''): string => {
  const start = Buffer.from(bytes.subarray(0, 8)).toString('hex');
  if (binarySignatures.some((signature) => start.startsWith(signature))) throw new UnreadableTextError('not_text');
  const marked = markedLabel(bytes);
  if (marked) return decode(bytes, marked)!;
  const utf8 = decodeUtf8(bytes);
  if (utf8 !== undefined && !utf8.includes('\0')) return utf8;
  const sample = bytes.subarray(0, sampleLength);
  const declared = declaredLabel(bytes, contentType);
  const candidates = [declared, wideLabel(sample), ...analyse(sample).map(({ name }) => name)];
  for (const label of candidates) {
    const text = label === undefined ? undefined : decode(bytes, label);
    if (text !== undefined && !isLost(text)) return text;
  }
  return decode(bytes, 'utf-8')!;
};

/** @throws {UnreadableTextError} When a text contains what no visitor must see: NUL characters, or U+FFFD for a lost character. */
export const requireReadable = (text: string): string => {
  if (text.includes('\0')) throw new UnreadableTextError('not_text');
  if (text.includes('\ufffd')) throw new UnreadableTextError('bad_encoding');
  return text;
};
